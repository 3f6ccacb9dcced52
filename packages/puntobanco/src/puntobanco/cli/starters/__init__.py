"""Game files to start from, one for each way to begin: `new-game` writes them."""
