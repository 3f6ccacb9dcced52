"""Programs that write what the repository holds: pages, pictures, traceability; a topology to run by hand."""
