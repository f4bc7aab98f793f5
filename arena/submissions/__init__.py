"""A bot as its author hands it in: its manifest, how it is packed, unpacked without harm, and kept."""
