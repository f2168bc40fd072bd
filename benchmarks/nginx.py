"""nginx on loopback, as a plain process of ours that ends with the benchmark."""

import contextlib
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

_START_SECONDS = 5
_CONFIGURATION = """\
daemon off;
master_process off;
worker_processes 1;
pid {scratch}/nginx.pid;
error_log {scratch}/error.log;
events {{ worker_connections 1024; }}
http {{
    types {{ text/html html htm; text/xml xml; text/plain txt; }}
    default_type text/html;
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000;
    keepalive_timeout 300s;
    open_file_cache max=20000 inactive=1h;
    client_body_temp_path {scratch}/body;
    proxy_temp_path {scratch}/proxy;
    fastcgi_temp_path {scratch}/fastcgi;
    uwsgi_temp_path {scratch}/uwsgi;
    scgi_temp_path {scratch}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {root};
    }}
}}
"""


@contextlib.contextmanager
def serving(root: Path) -> Iterator[str]:
    """Serve a document root while the block runs; yields the address."""
    port = _free_port()
    with tempfile.TemporaryDirectory(prefix="markmirror-nginx-") as scratch:
        configuration = Path(scratch) / "nginx.conf"
        configuration.write_text(
            _CONFIGURATION.format(scratch=scratch, port=port, root=root.resolve()), encoding="utf-8"
        )
        process = subprocess.Popen(
            [_program(), "-c", configuration, "-e", Path(scratch) / "error.log"]
        )
        try:
            _wait_until_open(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def version() -> str:
    """The version of the nginx that would serve."""
    said = subprocess.run([_program(), "-v"], capture_output=True, text=True, check=True)
    return said.stderr.strip().rpartition("/")[2]


def _program() -> str:
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        raise SystemExit("nginx is not installed: apt-get install nginx-light")
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_open(port: int) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        with (
            contextlib.suppress(ConnectionRefusedError),
            socket.create_connection(("127.0.0.1", port)),
        ):
            return
        time.sleep(0.02)
    raise SystemExit(f"nginx did not start on port {port}.")
