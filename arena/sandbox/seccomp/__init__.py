"""The filter of system calls: which calls a bot is refused, and the BPF program that refuses them."""
