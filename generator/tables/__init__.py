"""Take tables, make the pieces of a component, or say in which cell stands what will not do."""
