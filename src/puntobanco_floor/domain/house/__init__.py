"""The house: staff, terminals, exclusions, patrons' own limits; a pure state machine like the
table's.
"""
