"""Confluence clients by other people, each in an environment of its own, to judge this server.

`python -m tests.confluence_server.clients` installs them into the folder that
MARKMIRROR_CONFLUENCE_CLIENTS names, `.venv/confluence-clients` if it names none.
"""

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

FOLDER_VARIABLE = "MARKMIRROR_CONFLUENCE_CLIENTS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    package: str
    version: str

    @property
    def programs(self) -> Path:
        """The folder with its `python` and its commands."""
        return clients_folder() / f"{self.package}-{self.version}" / "bin"

    @property
    def installed(self) -> bool:
        return (self.programs / ".complete").exists()


LIBRARY = Client(package="atlassian-python-api", version="5.0.5")
EXPORTER = Client(package="confluence-markdown-exporter", version="5.5.0")


def clients_folder() -> Path:
    default = Path(__file__).parents[2] / ".venv" / "confluence-clients"
    return Path(os.environ.get(FOLDER_VARIABLE) or default)


def install(client: Client) -> None:
    """Make the client's environment, unless it is there already."""
    if client.installed:
        return
    venv.create(client.programs.parent, with_pip=True)
    requirement = f"{client.package}=={client.version}"
    subprocess.run(
        [client.programs / "python", "-m", "pip", "install", "--quiet", requirement], check=True
    )
    # Last, so that an interrupted installation is begun again.
    (client.programs / ".complete").touch()


def main() -> int:
    for client in (LIBRARY, EXPORTER):
        install(client)
        print(f"{client.package} {client.version}: {client.programs}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
