"""A witness: it remembers of each log how far it has grown, cosigns what follows from that, and
signs the mix of shoes; a program of its own that anybody may run.
"""
