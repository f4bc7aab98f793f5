"""What the fair play report is made of: matches from the store, and choices from their logs."""
