"""The frozen values between the spec and the paper. Lengths are in millimetres, y down."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
