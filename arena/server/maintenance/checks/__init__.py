"""The checks of `arena doctor`."""
