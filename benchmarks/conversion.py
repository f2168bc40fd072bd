"""Measure conversion: fidelity on real pages beside other converters, the specs, and speed.

    python -m benchmarks.conversion DIR            the whole table, published; DIR by corpus.py
    python -m benchmarks.conversion DIR --ours     only our own line
    python -m benchmarks.conversion DIR --worst N  the N pages and features that lose most

Every converter gets the same input: the marked content of the page, as a document of its own.
Converters that are not installed are left out.
"""

import argparse
import importlib.metadata
import json
import re
import resource
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import turbohtml
from markdown_it import MarkdownIt

from benchmarks import corpus, judges
from benchmarks.comparison import FEATURES, compare
from benchmarks.noise import noise_in
from benchmarks.report import publish, table
from benchmarks.structure import Features, rendered_features, source_features
from markmirror.convert import convert_html
from markmirror.model import Recipe

Convert = Callable[[str, str], str]

_FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures"
_PURE = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_PURE.validateLink = lambda _url: True  # type: ignore[assignment,method-assign]
_KEPT_TAG = re.compile(r"<br ?/?>\Z")
_CODE = re.compile(r"^(`{3,}|~{3,})[\s\S]*?^\1|(`+)[^`][\s\S]*?\2", re.MULTILINE)
_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]")
_STATED = re.compile(r"(?:highlight|language|lang|highlight-source|mw-highlight-lang)-([\w+#-]+)")
_FIRST_COLUMNS = ("converter", "CommonMark", "GFM", "structure", "pure")
_LAST_COLUMNS = ("code language", "noise per page", "escapes per 1,000 words", "speed")
_ABOUT = """Every converter gets the marked content of each page. CommonMark and GFM: examples that
come back the same. Structure and what follows: how much of it is still there, in percent; pure is
structure without any raw HTML. Speed is to markdownify's, in CPU time."""
_NO_LANGUAGE = {"default", "none", "text", "plaintext", "plain", "nohighlight", "txt"}


@dataclass(slots=True)
class Totals:
    """One converter's sums over all pages."""

    structure: list[float] = field(default_factory=list)
    pure: list[float] = field(default_factory=list)
    by_feature: dict[str, list[float]] = field(default_factory=dict)
    languages_kept: int = 0
    languages_stated: int = 0
    noise: int = 0
    escapes: int = 0
    words: int = 0
    seconds: float = 0.0
    losses: list[tuple[float, str, str]] = field(default_factory=list)


def ours(html: str, url: str) -> str:
    """Our own converter, as a run calls it."""
    body = html.encode("utf-8", "surrogatepass")
    return convert_html(
        body, url=url, content_type="text/html; charset=utf-8", recipe=Recipe()
    ).markdown


def converters() -> dict[str, Convert]:
    """Every converter that is installed here, ours first."""
    found: dict[str, Convert] = {
        "markmirror": ours,
        "turbohtml": lambda html, _url: turbohtml.parse(html).to_markdown(),
    }
    try:
        from html_to_markdown import convert as to_markdown  # type: ignore[import-not-found]

        found["html-to-markdown"] = lambda html, _url: str(_content(to_markdown(html)))
    except ImportError:
        pass
    try:
        import markdownify  # type: ignore[import-not-found]

        found["markdownify"] = lambda html, _url: str(
            markdownify.markdownify(html, heading_style="ATX", bs4_options="html.parser")
        )
    except ImportError:
        pass
    try:
        import trafilatura  # type: ignore[import-not-found]

        found["trafilatura"] = lambda html, url: (
            trafilatura.extract(
                html, output_format="markdown", include_links=True, include_tables=True, url=url
            )
            or ""
        )
    except ImportError:
        pass
    if shutil.which("pandoc"):
        found["pandoc"] = lambda html, _url: (
            subprocess.run(
                ["pandoc", "-f", "html", "-t", "gfm", "--wrap=none"],
                input=html,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
    return found


def _content(result: object) -> object:
    return getattr(result, "content", result)


def pure_html(markdown: str) -> str:
    """The Markdown rendered with its raw HTML left out; a line break is the one tag tables need."""
    environment: dict[str, object] = {}
    tokens = _PURE.parse(markdown, environment)
    for token in tokens:
        if token.type == "html_block":
            token.content = ""
        for inner in token.children or []:
            if inner.type == "html_inline" and not _KEPT_TAG.match(inner.content):
                inner.content = ""
    return str(_PURE.renderer.render(tokens, _PURE.options, environment))


def stated_languages(html: str) -> list[tuple[str, str]]:
    """The code blocks whose language the page states, as language and first characters."""
    page = turbohtml.parse(html)
    stated = []
    for pre in page.iter_elements("pre"):
        if isinstance(pre.parent, turbohtml.Element) and pre.parent.closest("pre") is not None:
            continue
        language = _stated(pre)
        text = re.sub(r"\s+", "", pre.text)[:60]
        if language and text:
            stated.append((language, text))
    return stated


def _stated(pre: turbohtml.Element) -> str:
    node: turbohtml.Node | None = pre.select_one("code") or pre
    for _ in range(4):
        if not isinstance(node, turbohtml.Element):
            break
        for name in ("data-lang", "data-language"):
            if node.attr(name):
                return str(node.attr(name)).lower()
        classes = node.attr("class") or ""
        match = _STATED.search(classes)
        if match:
            return "" if match[1].lower() in _NO_LANGUAGE else match[1].lower()
        if node.tag == "pre" and "rust" in classes.split():
            return "rust"
        node = node.parent
    return ""


def kept_languages(markdown: str) -> Counter[tuple[str, str]]:
    """The languages of the fences in Markdown, with their first characters."""
    kept: Counter[tuple[str, str]] = Counter()
    for token in _PURE.parse(markdown):
        if token.type == "fence" and token.info.strip():
            key = token.info.split()[0].lower().strip("{}.")
            kept[key, re.sub(r"\s+", "", token.content)[:60]] += 1
    return kept


def escapes_in(markdown: str) -> int:
    """How many signs are escaped outside of code."""
    return len(_ESCAPE.findall(_CODE.sub("", markdown)))


def cpu_seconds() -> float:
    """The CPU time spent so far, by this process and by those it started and waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def timed(convert: Convert, pages: list[tuple[str, str, str, Features]]) -> float:
    """The CPU time for all pages, by themselves: the best of three rounds, or of ten seconds."""
    rounds: list[float] = []
    while len(rounds) < 3 and sum(rounds) < 10:
        start = cpu_seconds()
        for _, html, url, _ in pages:
            convert(html, url)
        rounds.append(cpu_seconds() - start)
    return min(rounds)


def measure(convert: Convert, pages: list[tuple[str, str, str, Features]]) -> Totals:
    """One converter over all pages. A page is its name, its HTML, its address and its features."""
    totals = Totals()
    for name, html, url, given in pages:
        markdown = convert(html, url)
        rendered = judges.tables_html(markdown)
        scores = compare(given, rendered_features(rendered, base=url))
        pure = compare(given, rendered_features(pure_html(markdown), base=url))
        _add(totals, name, scores, pure)
        stated = stated_languages(html)
        kept = kept_languages(markdown)
        totals.languages_stated += len(stated)
        totals.languages_kept += (Counter(stated) & kept).total()
        totals.noise += noise_in(rendered, base=url)
        totals.escapes += escapes_in(markdown)
        totals.words += len(markdown.split())
    return totals


def _add(
    totals: Totals, name: str, scores: Mapping[str, float | None], pure: Mapping[str, float | None]
) -> None:
    there = {feature: score for feature, score in scores.items() if score is not None}
    totals.structure.append(_mean(list(there.values())))
    totals.pure.append(_mean([score for score in pure.values() if score is not None]))
    for feature, score in there.items():
        totals.by_feature.setdefault(feature, []).append(score)
        if score < 1:
            totals.losses.append((score, feature, name))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 1.0


def specs(convert: Convert) -> tuple[int, int, int, int]:
    """How many CommonMark and GFM examples come back the same: passed and given, of each."""
    passed = []
    for path, judge in (
        ("commonmark/spec-0.31.2.json", judges.commonmark_html),
        ("gfm/extensions-0.29.0.gfm.6.json", judges.gfm_html),
    ):
        examples = [
            example
            for example in json.loads((_FIXTURES / path).read_text(encoding="utf-8"))
            if judges.is_core(example)
        ]
        same = sum(
            judges.normalised(judge(convert(example["html"], "")))
            == judges.normalised(example["html"])
            for example in examples
        )
        passed += [same, len(examples)]
    return (passed[0], passed[1], passed[2], passed[3])


def load(root: Path, listing: list[corpus.Page]) -> list[tuple[str, str, str, Features]]:
    """The marked content of every listed page, as a document of its own, with its features."""
    pages = []
    for page in listing:
        body = page.read(root)
        document = turbohtml.parse(body, detect_encoding=True)
        content = document.select_one(page.content)
        assert content is not None
        # HTML's own marks are given back to containers that are marked only by a class.
        html = f"<!doctype html><html><body><main>{content.html}</main></body></html>"
        given = source_features(html, "main", base=page.url)
        pages.append((f"{page.generator} {page.package}{page.path}", html, page.url, given))
    return pages


def row(
    name: str, totals: Totals, examples: tuple[int, int, int, int], slowest: float
) -> list[str]:
    """One line of the table."""
    features = [f"{100 * _mean(totals.by_feature.get(feature, [])):.1f}" for feature in FEATURES]
    language = 100 * totals.languages_kept / max(1, totals.languages_stated)
    pages = max(1, len(totals.structure))
    return [
        name,
        f"{examples[0]}/{examples[1]}",
        f"{examples[2]}/{examples[3]}",
        f"{100 * _mean(totals.structure):.1f}",
        f"{100 * _mean(totals.pure):.1f}",
        *features,
        f"{language:.0f}",
        f"{totals.noise / pages:.2f}",
        f"{1000 * totals.escapes / max(1, totals.words):.1f}",
        f"{slowest / max(1e-9, totals.seconds):.1f} ×",
    ]


def versions_of(names: Iterable[str]) -> dict[str, str]:
    """Which versions of the other converters were measured."""
    versions = {}
    for name in names:
        if name == "pandoc":
            said = subprocess.run(
                ["pandoc", "--version"], capture_output=True, text=True, check=True
            )
            versions[name] = said.stdout.split()[1]
        elif name != "markmirror":
            versions[name] = importlib.metadata.version(name)
    return versions


def main() -> None:
    """Print the table, and publish it if it is whole."""
    parser = argparse.ArgumentParser(description="Measure conversion.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("--generator", default="")
    parser.add_argument("--seed", type=int, help="draw other pages than the listed ones")
    options = parser.parse_args()
    listing = (
        list(corpus.sample(options.folder, seed=options.seed))
        if options.seed is not None
        else corpus.listed()
    )
    listing = [page for page in listing if options.generator in page.generator]
    pages = load(options.folder, listing)
    chosen = converters()
    if options.ours or options.worst:
        chosen = {"markmirror": ours}
    results = {}
    for name, convert in chosen.items():
        results[name] = measure(convert, pages)
        results[name].seconds = timed(convert, pages)
    reference = results["markdownify"].seconds if "markdownify" in results else 0.0
    counted = f"{len(pages)} pages of {len({page.generator for page in listing})} generators."
    body = f"{counted} {_ABOUT}\n\n" + table(
        [*_FIRST_COLUMNS, *FEATURES, *_LAST_COLUMNS],
        [row(name, totals, specs(chosen[name]), reference) for name, totals in results.items()],
    )
    is_whole = len(chosen) > 1 and options.seed is None and not options.generator
    if is_whole:
        publish("conversion", "Conversion", body, versions=versions_of(chosen))
    else:
        print(body)
    for score, feature, name in sorted(results["markmirror"].losses)[: options.worst]:
        print(f"{score:.3f} {feature:12} {name}")


if __name__ == "__main__":
    main()
