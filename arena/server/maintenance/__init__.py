"""Maintenance of a data folder: upgrade, back up, restore, prune, examine."""
