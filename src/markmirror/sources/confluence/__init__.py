"""A Confluence space as a source. This far it knows the API's ways and does no I/O."""
