"""The judge of `arena match analyse`: what a decision was worth, by the search of the strongest sample bot."""
