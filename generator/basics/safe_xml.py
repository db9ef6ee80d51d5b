"""Parse untrusted XML: nothing in it is resolved, loaded or fetched."""

from __future__ import annotations

from lxml import etree


def xml_parser() -> etree.XMLParser:
    """Return a parser for one document. It logs its errors, and drops comments."""
    return etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False,
        remove_comments=True,
    )  # fmt: skip
