"""Game files of designers: find them, check them, explain their errors."""
