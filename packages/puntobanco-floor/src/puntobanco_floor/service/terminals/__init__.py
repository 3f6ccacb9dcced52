"""The live connection: public events, connections, heartbeat, shutdown, the messages of the
wire.
"""
