"""Numbers as people read them."""


def significant(value: float) -> str:
    """Format two or three digits that count, thousands set apart: 0.012, 0.12, 1.23, 12.3, 1,234."""
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 10:
        return f"{value:.1f}"
    if size >= 0.1 or size == 0:
        return f"{value:.2f}"
    return f"{value:.2g}"


def per_second(value: float) -> str:
    """Format so many a second."""
    return f"{significant(value)}/s"


def microseconds(value: float) -> str:
    """Format a time in microseconds."""
    return f"{significant(value)} us"
