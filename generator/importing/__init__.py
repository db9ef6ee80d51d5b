"""A print-and-play PDF of any program becomes a game: its cards are found, cut out and laid in a
folder. Workers read the file, as it may be hostile."""
