"""Pictures of faces, made in worker processes for the pages that pnp serves.

picture_pool.py    the wanted pictures, painted once and kept; picture_worker.py paints them
"""
