"""What the search bot of Wasteland thinks with."""
