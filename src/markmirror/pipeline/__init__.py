"""The flow of a run and its steps."""
