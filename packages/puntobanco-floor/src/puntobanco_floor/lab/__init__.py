"""The odds lab: par sheets of fresh shoes for whoever asks, made one at a time beside the tables.
Never a live shoe.
"""
