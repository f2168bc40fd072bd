"""A Confluence space as a source: its addresses, its answers, and a client that asks."""
