"""How long lists of names are written in this room: as words, many to a line."""


def words(*lines: str) -> frozenset[str]:
    """The set of the words on these lines."""
    return frozenset(word for line in lines for word in line.split())
