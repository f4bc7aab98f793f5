"""What Wasteland looks like as arrays."""
