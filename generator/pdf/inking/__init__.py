"""Take a finished PDF, make the PDF for a press: inks in the place of colours, PDF/X.

inker.py      the caller's side; inking_worker.py the worker's
walking.py    all that pages show, each thing once: streams.py gradients.py pictures.py change it
spaces.py     the colour spaces of the file; what colours become
blends.py     the pieces with transparency
standard.py   output intent, metadata, version"""
