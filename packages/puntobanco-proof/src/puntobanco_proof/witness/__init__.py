"""A witness: a program that remembers how far logs have grown, cosigns, and mixes shoes."""
