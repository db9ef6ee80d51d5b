"""Take tables, make the pieces of a component, or report each faulty cell."""
