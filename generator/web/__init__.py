"""What every page shares: the server, the frame of a page, its charts."""
