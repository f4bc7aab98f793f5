"""`arena simulate`: play many matches in process."""
