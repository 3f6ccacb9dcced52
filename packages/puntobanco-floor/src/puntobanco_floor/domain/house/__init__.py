"""The house: staff, terminals, exclusions, patrons' own limits. Pure, as a table is."""
