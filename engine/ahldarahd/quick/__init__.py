"""What search bots ask for most often in Ahldarahd: estimates and a quick policy. No rules."""
