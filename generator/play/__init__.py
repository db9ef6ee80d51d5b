"""Games played by rules that are code: engines, bots, many games at once, what they came to.

engine.py      the interface of an Engine: states, moves, chance, what a seat sees
making.py      a kind of engine, a deck and chosen options -> the engine
decks.py       pieces -> the numbers that an engine reads from their rows
perft.py       how many states there are after so many moves
transcript.py  a game as text: written, and read back
bots.py        players by rule of thumb; search.py one that searches, exact.py one that
               plays perfectly what is small
counting.py    games -> Counts: whole numbers, which add up in any order
batches.py     a Series of games -> its Counts, on all cores; play_worker.py plays them there
figures.py     Counts -> Figures with their intervals, and what stands out
records.py     a playtest as JSON, and the parts of one added
"""
