"""What Caravans of Ahldarahd looks like as arrays."""
