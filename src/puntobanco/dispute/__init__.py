"""Disputes: one round with its evidence in a folder that can be checked alone."""
