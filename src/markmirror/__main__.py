"""`markmirror`, and `python -m markmirror`.

The command line is loaded when it runs: a process that converts pages loads this module too.
"""


def main() -> None:
    from markmirror import cli

    cli.main()


if __name__ == "__main__":
    main()
