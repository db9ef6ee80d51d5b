"""PDFs for a press, made from finished PDFs: inks in the place of colours, PDF/X.

inking_worker.py  the worker's side; the caller's is pdf/press.py; output intent, metadata, version;
                  the pieces with transparency
walking.py        all that pages show, each thing once: changes operators and shadings
spaces.py         the colour spaces of the file; what colours and pictures become
"""
