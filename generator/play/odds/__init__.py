"""Chances of a component's cards, from its table. Knows no rules of a game.

They are exact where that is feasible, and sampled with an interval elsewhere.
"""
