"""How fast it is, beside the least that the same work takes."""
