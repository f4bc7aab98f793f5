"""Takes more memory than it may have."""

from attack import attempt


def take() -> str:
    held = [b"\1" * (1 << 20) for _ in range(192)]
    return f"{len(held)} MiB held"


attempt(take)
