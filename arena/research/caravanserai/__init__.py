"""What Caravanserai looks like as arrays."""
