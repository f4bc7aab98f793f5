"""Match logs: written while a match runs, signed at its end, provable for ever (docs/log_format.md)."""
