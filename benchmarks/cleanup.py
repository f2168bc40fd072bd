"""How good and how fast cleanup is, on hundreds of real pages, beside two public formatters.

    python -m benchmarks.cleanup collect DIR     fetch the pages listed in cleanup_corpus.tsv
    python -m benchmarks.cleanup judge DIR       structure, protected bytes, second run
    python -m benchmarks.cleanup time DIR        CPU time, and ratios to flowmark and mdformat

Collecting needs pip and, for the Debian pages, apt-get and dpkg-deb. The two formatters are
measured where they are installed; see requirements/bench.in.
"""

import hashlib
import importlib
import io
import json
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import turbohtml
from tests.unit.cleanup.judge import findings

from markmirror.convert.cleanup import CleanupStats, MarkdownCleanupConfig, clean

LISTED = Path(__file__).with_name("cleanup_corpus.tsv")
EXAMPLES = Path(__file__).parents[1] / "tests" / "fixtures" / "cleanup" / "commonmark.json"
HEAVY = MarkdownCleanupConfig.for_intensity("heavy")
PATHOLOGICAL = {
    "50 KB of >": ">" * 50_000,
    "50 KB of [": "[" * 50_000,
    "50 KB of *": "*" * 50_000,
    "50 KB of `": "`" * 50_000,
    "nested lists": "".join("  " * depth + "- a\n" for depth in range(220)),
    "50 KB of '- '": "- " * 25_000,
}


def listed() -> Iterator[tuple[str, str, str, str, str]]:
    """Source, package, version, path and SHA-256 of every page."""
    for line in LISTED.read_text().splitlines():
        source, package, version, path, digest = line.split("\t")
        yield source, package, version, path, digest


def collect(folder: Path) -> None:
    """Fetch every listed page that `folder` does not hold yet, and check it against its hash."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for source, package, version, path, digest in listed():
        if not (folder / digest).exists():
            wanted.setdefault((source, package, version), []).append((path, digest))
    for (source, package, version), files in wanted.items():
        fetch = _python_description if source == "pypi" else _debian_files
        try:
            contents = fetch(package, version, [path for path, _ in files])
        except (subprocess.CalledProcessError, OSError, KeyError) as error:
            print(f"{package} {version} could not be fetched: {error}", file=sys.stderr)
            continue
        for path, digest in files:
            if hashlib.sha256(contents[path]).hexdigest() != digest:
                print(f"{package} {version} {path} is not what it was", file=sys.stderr)
                continue
            (folder / digest).write_bytes(contents[path])


def _python_description(package: str, version: str, paths: list[str]) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        only = ["--only-binary", ":all:", "--dest", folder, f"{package}=={version}"]
        subprocess.run([*pip, *only], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
            metadata = archive.read(names[0]).replace(b"\r\n", b"\n")
    return {path: metadata.partition(b"\n\n")[2] for path in paths}


def _debian_files(package: str, version: str, paths: list[str]) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        download = ["apt-get", "download", "-q", f"{package}={version}"]
        subprocess.run(download, check=True, cwd=folder, capture_output=True)
        (package_file,) = Path(folder).glob("*.deb")
        unpack = ["dpkg-deb", "--fsys-tarfile", str(package_file)]
        files = subprocess.run(unpack, check=True, capture_output=True).stdout
    contents = {}
    with tarfile.open(fileobj=io.BytesIO(files)) as archive:
        for path in paths:
            member = archive.extractfile(path)
            if member is not None:
                contents[path] = member.read()
    return contents


def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Name and Markdown of every collected page; HTML is converted as the program does it."""
    for source, package, _, path, digest in listed():
        file = folder / digest
        if not file.exists():
            continue
        body = file.read_bytes()
        text = body.decode("utf-8", "replace")
        if source == "debian":
            text = turbohtml.parse(body).to_markdown()
        yield f"{package} {path}", text


def judge(folder: Path) -> None:
    """Print what two independent parsers find wrong, for every intensity."""
    documents = list(pages(folder))
    documents += [
        (f"CommonMark example {number}", text)
        for number, text in enumerate(json.loads(EXAMPLES.read_text()), start=1)
    ]
    for intensity in ("heavy", "standard", "light"):
        config = MarkdownCleanupConfig.for_intensity(intensity)
        found: Counter[str] = Counter()
        stats = CleanupStats()
        for name, text in documents:
            stats.add(clean(text, config))
            for finding in findings(text, config):
                found[finding] += 1
                print(f"  {intensity}: {name}: {finding}")
        print(f"{intensity}: {len(documents)} documents, findings: {dict(found) or 'none'}")
        print(json.dumps(stats.as_dict(), indent=1))


def cpu_seconds(work: Callable[[], object], *, times: int = 3) -> float:
    """The best of a few runs, in seconds of CPU."""
    best = float("inf")
    for _ in range(times):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def measure(folder: Path) -> None:
    """Print the times for real pages, for growing pages, for pathological ones, and the ratios."""
    texts = [text for _, text in pages(folder)]
    each = [cpu_seconds(lambda text=text: clean(text, HEAVY)) for text in texts]  # type: ignore[misc]
    kilobytes = statistics.median(len(text.encode()) for text in texts) / 1000
    median = statistics.median(each) * 1000
    print(f"{len(texts)} real pages, median {kilobytes:.1f} KB: {median:.2f} ms")
    whole = "\n\n".join(texts)
    for size in (1, 4, 16, 64, 256, 1024):
        text = whole.encode()[: size * 1000].decode("utf-8", "ignore")
        seconds = cpu_seconds(lambda text=text: clean(text, HEAVY))  # type: ignore[misc]
        print(f"{size:5} KB: {seconds * 1000:8.2f} ms, {seconds * 1000 / size:.2f} ms per KB")
    for name, text in PATHOLOGICAL.items():
        print(f"{name}: {cpu_seconds(lambda text=text: clean(text, HEAVY)):.3f} s")  # type: ignore[misc]
    sample = texts[::8]
    ours = cpu_seconds(lambda: [clean(text, HEAVY) for text in sample], times=1)
    for peer, function in (("flowmark", "fill_markdown"), ("mdformat", "text")):
        try:
            format_page = getattr(importlib.import_module(peer), function)
        except ImportError:
            print(f"{peer}: not installed")
            continue
        theirs = cpu_seconds(lambda: _formatted(format_page, sample), times=1)  # noqa: B023
        print(f"{peer}: {theirs / ours:.1f} times our CPU on {len(sample)} pages")


def _formatted(format_page: Callable[[str], str], texts: list[str]) -> None:
    for text in texts:
        try:
            format_page(text)
        except Exception as error:  # a formatter that gives up on a page still counts its time
            print(f"  it failed on a page: {type(error).__name__}", file=sys.stderr)


if __name__ == "__main__":
    steps = {"collect": collect, "judge": judge, "time": measure}
    if len(sys.argv) != 3 or sys.argv[1] not in steps:
        sys.exit(__doc__)
    steps[sys.argv[1]](Path(sys.argv[2]))
