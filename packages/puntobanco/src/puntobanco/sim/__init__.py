"""Simulation: shoes by the billion, dealt and decided by generated code, the same counts on every
engine.
"""
