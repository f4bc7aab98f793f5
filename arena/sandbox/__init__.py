"""Runs one program where it can do no harm: bubblewrap, a filter of system calls, a cgroup and a uid of its own."""
