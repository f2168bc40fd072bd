"""Serve a generated space until interrupted: `python -m tests.confluence_server --pages 40`."""

import argparse
import asyncio

from tests.confluence_server import ConfluenceServer, Site, SpacePlan, generate_space


async def serve(arguments: argparse.Namespace) -> None:
    site = Site(flavour=arguments.flavour, context=arguments.context)
    generate_space(site.content, SpacePlan(pages=arguments.pages))
    server = ConfluenceServer(site)
    async with server.running(arguments.port):
        print(f"space DOCS, {arguments.pages} pages: {server.url}")
        print(f"user {site.username}, password {site.password}; Ctrl-C ends it")
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.confluence_server", description=__doc__)
    parser.add_argument("--port", type=int, default=8090)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--flavour", choices=["data-center", "cloud"], default="data-center")
    parser.add_argument("--context", default="", help="a path such as /confluence or /wiki")
    try:
        asyncio.run(serve(parser.parse_args()))
    except KeyboardInterrupt:
        print("stopped")


if __name__ == "__main__":
    main()
