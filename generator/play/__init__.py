"""Games played by rules that are code: engines, bots, many games at once, and their results.

engine.py      the interface of an Engine: states, moves, chance, what a seat sees
bots.py        players by rule of thumb, by search, and perfect play of what is small
batches.py     a Series of games -> its Counts, whole numbers, which add up in any order: on all
               cores; play_worker.py plays them there
figures.py     Counts -> Figures with their intervals; records.py a playtest as JSON
plan.py        [play] of a game.toml
odds/          the chances of a game's cards
reports.py     the pages of a playtest and of odds
table/         the pieces of a game on a table in browsers
"""
