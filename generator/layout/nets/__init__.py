"""Take measures, make nets: panels and folds, flat or in space."""

from generator.layout.nets.folding import SeenPanel, fold_net, standing
from generator.layout.nets.net import Fold, Net, Panel
from generator.layout.nets.solids import house, pyramid, tent
from generator.layout.nets.tuckbox import tuckbox

__all__ = [
    "Fold",
    "Net",
    "Panel",
    "SeenPanel",
    "fold_net",
    "house",
    "pyramid",
    "standing",
    "tent",
    "tuckbox",
]
