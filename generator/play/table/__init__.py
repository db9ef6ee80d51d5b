"""The pieces of a game on a table that several browsers on this machine share.

state.py     the pieces and their shapes, what lies on the table and in hands, and its history;
             the table at the beginning, and what a seat sees
actions.py   the actions, and the messages of a page that ask for them
session.py   a table without rules, and its file; referee.py a table with an engine's rules and
             bots
server.py    the browsers at a table: visitors, seats, what each is sent; the requests that are
             answered, and those that are refused; page/
"""
