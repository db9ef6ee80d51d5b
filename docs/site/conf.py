"""How the documentation site is built: `make docs`. Every warning of Sphinx is an error there."""

import sys
from pathlib import Path

SITE = Path(__file__).parent
sys.path[:0] = [str(SITE), str(SITE.parents[1])]

project = "pnp"
project_copyright = "The print-and-play generator's authors"
html_title = "pnp"
extensions = ["myst_parser", "sphinx.ext.autodoc", "pages"]
smartquotes = False

myst_heading_anchors = 4
default_role = "code"  # docstrings set code in single backticks
add_module_names = False
autodoc_class_signature = "mixed"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_static_path = ["static", "../../fonts/alegreya-sans"]
html_css_files = ["style.css"]
html_favicon = "../../generator/studio/page/icon.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
_LIGHT, _DARK = "#22695b", "#6cc0ac"  # the accent of pnp preview
_ACCENTED = ["brand-primary", "brand-content", "brand-visited", "api-name", "api-pre-name"]
html_theme_options = {
    "light_css_variables": {f"color-{name}": _LIGHT for name in _ACCENTED},
    "dark_css_variables": {f"color-{name}": _DARK for name in _ACCENTED},
}
