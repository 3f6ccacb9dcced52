"""HTTP and WebSocket: the floor for browsers and programs."""
