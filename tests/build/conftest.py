"""A game whose faces are drawn from a template."""

from tests.spec.conftest import folder as folder
