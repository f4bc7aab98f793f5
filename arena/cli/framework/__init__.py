"""What all commands share: declaration, connection, errors, output, signals, child processes."""
