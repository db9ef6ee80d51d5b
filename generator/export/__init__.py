"""Files of a kit in other formats; each format is an Exporter."""

from collections.abc import Mapping

# "module:class" by the name of the format
EXPORTERS: Mapping[str, str] = {
    "cgs": "generator.export.online:CardGameSimulator",
    "cut-dxf": "generator.export.cuts.files:CutPlans",
    "cut-svg": "generator.export.cuts.files:CutDrawings",
    "glb": "generator.export.glb:Models",
    "grid": "generator.export.png:Grids",
    "pcio": "generator.export.online:PlayingCards",
    "png": "generator.export.png:Pictures",
    "scene": "generator.export.scene.exporter:Scenes",
    "shop": "generator.export.shop.exporter:ShopOrder",
    "svg": "generator.export.svg:Drawings",
    "tts": "generator.export.tts:TabletopSimulator",
    "vassal": "generator.export.vassal:VassalModule",
}
