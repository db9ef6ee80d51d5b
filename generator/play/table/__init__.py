"""The pieces of a game on a table that several browsers on this machine share.

supply.py    the pieces of a game and their shapes, which never change
state.py     what lies on the table and in hands, as immutable values, and its history
acting.py    what actions have in common; stacking.py, dealing.py and counting.py the actions
actions.py   a message of a page -> an action
setup.py     a supply -> the table at the beginning
sight.py     a table -> what a seat sees
saving.py    a table <-> a file
shared.py    a table that browsers share: visitors, seats, what each is sent
session.py   a table without rules; referee.py one that keeps to an engine's, with bots
server.py    the requests that are answered, and those that are refused; page/
"""
