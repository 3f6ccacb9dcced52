"""Journal format 2: an independent checker, the generator of the test vectors, and tests of both."""
