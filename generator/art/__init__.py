"""Take pictures and drawings, make what of them can be printed, or say what cannot."""
