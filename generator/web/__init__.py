"""What all pages share: the server, the frame of a page, its charts."""
