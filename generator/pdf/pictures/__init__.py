"""Take faces, make pictures of them in worker processes, for the pages that pnp serves.

picture_pool.py    the wanted pictures, painted once and kept; picture_worker.py paints them
parts.py           a face -> the part that a picture shows
traces.py          the files of a folder -> data that change when one is saved
"""
