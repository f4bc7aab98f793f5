"""Runs one untrusted program with bubblewrap, a filter of system calls, a cgroup and a uid of its own."""
