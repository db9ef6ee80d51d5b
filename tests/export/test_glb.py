"""The model of a kit, as an independent reader of such files sees it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

from generator import pipeline
from generator.pipeline.sheets import silent
from tests.support.printing import request_of


def test_a_model_has_every_piece_in_metres(tmp_path: Path) -> None:
    """As many as the tables say, each as large as it is printed, with both its sides in colour."""
    out = pipeline.export_kit(request_of("toripoka"), "glb", {"dpi": 50}, tmp_path, silent)
    scene = trimesh.load_scene(out / "toripoka.glb")
    game = pipeline.read("toripoka").game
    names = _placed(scene)
    assert len(names) == sum(len(part.copies()) for part in game.components)
    card = scene.geometry["hearts-9"]
    assert card.extents == pytest.approx([0.0635, 0.0003, 0.0889], abs=1e-6)
    picture = np.asarray(card.visual.material.baseColorTexture.convert("RGB"), float)
    front, back = np.split(picture, 2, axis=1)
    reddest = [(half[..., 0] - half[..., 2]).clip(0).mean() for half in (front, back)]
    assert reddest[0] > 2 * reddest[1] > 0  # hearts in front, dots behind
    assert card.visual.uv.min() >= 0
    assert card.visual.uv.max() <= 1
    boxes = [scene.geometry[name].bounds + scene.graph[node][0][:3, 3] for node, name in _placed(scene)]
    low, high = (np.array([box[end] for box in boxes]) for end in (0, 1))
    for index in range(len(boxes)):
        meet = (low[index] < high - 1e-6) & (high[index] > low + 1e-6)
        assert meet.all(axis=1).sum() == 1  # itself
    assert low[:, 1].min() == pytest.approx(0.0, abs=1e-6)  # on the table


def _placed(scene: trimesh.Scene) -> list[tuple[str, str]]:
    return [(str(node), str(scene.graph[node][1])) for node in scene.graph.nodes_geometry]


def test_the_same_kit_gives_the_same_model(tmp_path: Path) -> None:
    first, second = (
        (pipeline.export_kit(request_of("talavera"), "glb", {"dpi": 50}, tmp_path / run, silent) / "talavera.glb")
        for run in ("a", "b")
    )
    assert first.read_bytes() == second.read_bytes()
