"""Submissions: the manifest, packing, safe unpacking, and the folders of versions."""
