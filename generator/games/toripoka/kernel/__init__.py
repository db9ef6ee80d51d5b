"""Toripoka's rules and two bots once more, as machine code: whole games, many times as fast.

What play.py and appraiser.py say decides; tests/games/toripoka/test_kernel.py compares them move by
move. Needs numba: the extra `playtest` of pnp.
"""
