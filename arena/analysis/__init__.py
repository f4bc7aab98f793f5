"""Which decisions of a seat lost a match: each is judged by playouts, and the costliest ones by more of them."""
