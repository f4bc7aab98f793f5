"""`arena log`: list, download, read, verify, replay and export match logs."""
