"""Random broken games, and a judge of what `pnp` makes of them: `make fuzz`.

A case is a game's folder and the arguments of `pnp`. `areas/` makes cases: each of its modules
breaks one kind of file of a sound game. `judging.py` runs a case and says whether what came of it
is allowed. `running.py` does so for many, in processes that may hang or crash.
"""
