"""Printer profiles, which correct the backs, from readings of the calibration sheet."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
