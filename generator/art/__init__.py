"""Take pictures and drawings, make printable ones, or report what cannot be printed."""
