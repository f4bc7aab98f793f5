"""What `arena doctor` looks at, a file for each kind of thing."""
