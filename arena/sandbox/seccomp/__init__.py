"""The filter of system calls: the calls that a bot is refused, and the BPF program that refuses them."""
