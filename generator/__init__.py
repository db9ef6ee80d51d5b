"""Turn a folder of plain files into sheets that print on both sides and cut true."""

__version__ = "0.1.0"
