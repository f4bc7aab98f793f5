"""Work on a data folder without its arena: upgrade, backup, restore, prune, check."""
