"""`arena match analyse` and `arena log analyse`: which decisions of a seat cost most."""
