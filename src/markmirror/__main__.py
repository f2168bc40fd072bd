"""`python -m markmirror`."""

from markmirror.cli import main

main()
