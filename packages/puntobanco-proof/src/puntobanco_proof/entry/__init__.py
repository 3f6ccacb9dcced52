"""The frozen byte format of journal entries, independent of event kinds."""
