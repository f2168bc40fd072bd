"""The export of a Confluence space, on the same ledger, queues and files as any mirror."""
