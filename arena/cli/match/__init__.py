"""`arena match`: list, show, watch, explain and rule on matches."""
