"""Ladders of one seat: nobody is rated, all play the same boards and are ranked by score (docs/ratings.md, "Solo")."""
