"""A faithful, current Markdown copy of a documentation website or a Confluence space."""

__version__ = "0.1.0"
