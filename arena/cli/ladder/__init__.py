"""`arena ladder`: create and run ladders."""
