"""What Caravan looks like as arrays."""
