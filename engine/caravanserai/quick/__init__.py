"""A quick eye for Caravanserai, for search: placements, what they are worth, and turns played by that.

It is no part of the rules. It lies beside them so that a wheel has it compiled: a search asks for nothing more often.
"""
