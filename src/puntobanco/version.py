"""The version of the program, as reports and records name it."""

__version__ = "0.1.0"
