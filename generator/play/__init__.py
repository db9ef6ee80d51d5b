"""Games played by rules that are code: engines, bots, many games at once, what they came to.

engine.py      the interface of an Engine: states, moves, chance, what a seat sees
making.py      a kind of engine, a deck and chosen options -> the engine
bots.py        players by rule of thumb; playing.py a game between them
decks.py       pieces -> the numbers that an engine reads from their rows
perft.py       how many states there are after so many moves
transcript.py  a game as text: written, and read back
"""
