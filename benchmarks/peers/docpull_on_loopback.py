"""docpull's own command, made to accept a server on loopback: python -m ... ARGUMENTS

docpull insists on HTTPS and on public addresses, and has no option that lifts it. Nothing else of
it is changed.
"""

import functools
import sys

import docpull.core.fetcher  # type: ignore[import-not-found]
from docpull.cli import main  # type: ignore[import-not-found]
from docpull.security.robots import RobotsChecker  # type: ignore[import-not-found]
from docpull.security.url_validator import UrlValidator  # type: ignore[import-not-found]


def lift_the_address_rules() -> None:
    """HTTP and loopback are allowed; robots.txt, only asked for by HTTPS, forbids nothing."""
    lenient = functools.partial(UrlValidator, block_private_ips=False)
    docpull.core.fetcher.UrlValidator = lambda **_rules: lenient(allowed_schemes={"http"})
    RobotsChecker.is_allowed = lambda _self, _url: True
    RobotsChecker.get_crawl_delay = lambda _self, _url: None
    RobotsChecker.get_sitemaps = lambda _self, _url: []


if __name__ == "__main__":
    lift_the_address_rules()
    sys.exit(main())
