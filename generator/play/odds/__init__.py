"""Take the table of a component, compute chances of its cards: exact ones where that is feasible,
sampled ones with an interval elsewhere. Knows no rules of a game."""
