"""Exact odds: the probability of any predicate for any shoe, par sheets, effects of removal."""
