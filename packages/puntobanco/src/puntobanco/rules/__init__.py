"""The five games and their rules: pure values, standard library only."""
