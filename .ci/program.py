"""pnp as a program in one file; `.ci/program` makes it.

pnp starts its workers as `python -P -m MODULE`. The program takes the same words, as Python would.
"""

import runpy
import sys

if sys.argv[1:3] == ["-P", "-m"]:
    module = sys.argv[3]
    del sys.argv[1:4]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
else:
    from generator.__main__ import run

    run()
