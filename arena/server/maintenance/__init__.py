"""What an organiser does with a data folder on his own machine: upgrade, back up, restore, prune, examine."""
