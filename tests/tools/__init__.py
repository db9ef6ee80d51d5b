"""What makes files of the repository: pictures, the reference, a reading of the site."""
