"""The pit: what supervisors watch: the day's figures, returns against the exact ones, alerts,
edges.
"""
