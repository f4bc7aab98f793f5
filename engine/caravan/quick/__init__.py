"""A quick eye for Caravan, for search: jobs, a policy, good turns, and what a position promises.

It is no part of the rules. It lies beside them so that a wheel has it compiled: a search asks for nothing more often.
"""
