"""What is checked about a match log, one idea a file."""
