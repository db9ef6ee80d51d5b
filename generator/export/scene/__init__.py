"""Take a kit, make a picture of the game on a table."""

from generator.export.scene.exporter import Scenes

__all__ = ["Scenes"]
