"""How good and how fast cleanup is, on hundreds of real pages, beside two public formatters.

    python -m benchmarks.cleanup collect DIR     fetch the pages listed in cleanup_corpus.tsv
    python -m benchmarks.cleanup judge DIR       structure, protected bytes, second run
    python -m benchmarks.cleanup time DIR        CPU time, and ratios to flowmark and mdformat
    python -m benchmarks.cleanup publish DIR     both, as a part of docs/benchmarks.md

Collecting needs pip and, for the Debian pages, apt-get and dpkg-deb. The two formatters are
measured where they are installed; see requirements/bench.in.
"""

import hashlib
import importlib
import importlib.metadata
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

from benchmarks.report import publish, table
from markmirror.convert.cleanup import CleanupStats, MarkdownCleanupConfig, clean
from markmirror.escaping import code_span

LISTED = Path(__file__).with_name("cleanup_corpus.tsv")
EXAMPLES = Path(__file__).parents[1] / "tests" / "fixtures" / "cleanup" / "commonmark.json"
HEAVY = MarkdownCleanupConfig.for_intensity("heavy")
_ABOUT = """Real pages and the examples of CommonMark, before and after cleanup: two independent
parsers compare structure and protected bytes, and a second cleanup must change nothing. Each
difference is a finding. Times are the best of three rounds."""
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


def judge(folder: Path) -> dict[str, tuple[int, int]]:
    """Print what two independent parsers find wrong; documents and findings of every intensity."""
    documents = list(pages(folder))
    documents += [
        (f"CommonMark example {number}", text)
        for number, text in enumerate(json.loads(EXAMPLES.read_text()), start=1)
    ]
    verdicts = {}
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
        verdicts[intensity] = (len(documents), found.total())
    return verdicts


def cpu_seconds(work: Callable[[], object], *, times: int = 3) -> float:
    """The best of a few runs, in seconds of CPU."""
    best = float("inf")
    for _ in range(times):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def measure(folder: Path) -> str:
    """Tables of the times for real, growing and pathological pages, and of the ratios."""
    texts = [text for _, text in pages(folder)]
    each = [_heavily(text) for text in texts]
    kilobytes = statistics.median(len(text.encode()) for text in texts) / 1000
    median = statistics.median(each) * 1000
    rows = [[f"{len(texts)} real pages, median {kilobytes:.1f} KB", f"{median:.2f} ms"]]
    whole = "\n\n".join(texts).encode()
    for size in (1, 4, 16, 64, 256, 1024):
        text = whole[: size * 1000].decode("utf-8", "ignore")
        rows.append([f"{size:,} KB of them in one", f"{_heavily(text) * 1000:.2f} ms"])
    for name, text in PATHOLOGICAL.items():
        rows.append([code_span(name), f"{_heavily(text) * 1000:.2f} ms"])
    sample = texts[::8]
    ours = cpu_seconds(lambda: [clean(text, HEAVY) for text in sample], times=1)
    ratios = [["markmirror", f"{ours:.2f} s", "1.0 ×"]]
    for peer, format_page in formatters().items():
        theirs = cpu_seconds(lambda: _formatted(format_page, sample), times=1)  # noqa: B023
        ratios.append([peer, f"{theirs:.2f} s", f"{theirs / ours:.1f} ×"])
    times = table(["heavy cleanup of", "CPU"], rows)
    return f"{times}\n\n{table([f'{len(sample)} pages by', 'CPU', 'to ours'], ratios)}"


def _heavily(text: str) -> float:
    return cpu_seconds(lambda: clean(text, HEAVY))


def formatters() -> dict[str, Callable[[str], str]]:
    """The public formatters that are installed here."""
    found = {}
    for peer, function in (("flowmark", "fill_markdown"), ("mdformat", "text")):
        try:
            found[peer] = getattr(importlib.import_module(peer), function)
        except ImportError:
            print(f"{peer}: not installed", file=sys.stderr)
    return found


def publish_all(folder: Path) -> None:
    """Judge and measure, and put the result on the page."""
    rows = [
        [intensity, f"{documents:,}", f"{found:,}"]
        for intensity, (documents, found) in judge(folder).items()
    ]
    verdicts = table(["intensity", "documents", "findings"], rows)
    versions = {peer: importlib.metadata.version(peer) for peer in formatters()}
    publish("cleanup", "Cleanup", f"{_ABOUT}\n\n{verdicts}\n\n{measure(folder)}", versions=versions)


def _formatted(format_page: Callable[[str], str], texts: list[str]) -> None:
    for text in texts:
        try:
            format_page(text)
        except Exception as error:  # a formatter that gives up on a page still counts its time
            print(f"  it failed on a page: {type(error).__name__}", file=sys.stderr)


def main(arguments: list[str]) -> None:
    match arguments:
        case ["collect", folder]:
            collect(Path(folder))
        case ["judge", folder]:
            judge(Path(folder))
        case ["time", folder]:
            print(measure(Path(folder)))
        case ["publish", folder]:
            publish_all(Path(folder))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
