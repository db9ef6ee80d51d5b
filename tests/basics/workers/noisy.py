"""A worker that says more than its pipes hold, before it reads any request, and then fails."""

import sys

if __name__ == "__main__":
    sys.stderr.write("x" * 300_000)
    sys.stdout.write("y" * 300_000)
    sys.stdin.buffer.read(1)
    sys.exit("it is broken")
