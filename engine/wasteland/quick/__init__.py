"""What search bots ask for most often in Wasteland: estimates and a quick policy. No rules."""
