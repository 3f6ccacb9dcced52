"""The live table: a pure state machine, `decide` and `evolve`."""
