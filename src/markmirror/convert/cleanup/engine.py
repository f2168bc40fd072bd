"""Cleaning one page: read it, let each rule at each leaf, splice, and look again.

A rule that raises, or that loses or reorders a protected piece, is left out for that leaf and
counted. A leaf after which a reader would see another structure is put back as it was.
"""

import re
import time
from collections.abc import Callable

from markmirror.convert.cleanup.config import MarkdownCleanupConfig
from markmirror.convert.cleanup.fingerprint import structure, words_and_blocks
from markmirror.convert.cleanup.language import page_language
from markmirror.convert.cleanup.leaf_lines import as_written, continuation_prefix, joined, may_wrap
from markmirror.convert.cleanup.marks import (
    ANY_MARK,
    BACKSLASH_BREAK,
    SPACES_BREAK,
    TooManyPieces,
    class_of,
)
from markmirror.convert.cleanup.page import Leaf, LeafKind, Page, read_page
from markmirror.convert.cleanup.parser import MarkdownUnreadable
from markmirror.convert.cleanup.protected import protect
from markmirror.convert.cleanup.result import CleanupResult, Outcome, RuleCount
from markmirror.convert.cleanup.rule import CleanupRule, Surroundings
from markmirror.convert.cleanup.rules import ARTIFACT_RULES, ESCAPE_RULES, PROSE_RULES, WRAP
from markmirror.convert.cleanup.rules.blocks import blank_line_edits, empty_comment_edits
from markmirror.convert.cleanup.rules.spellings import spelling_table
from markmirror.convert.cleanup.slug import heading_slug
from markmirror.convert.cleanup.splice import Edit, harmless

_FRONT_MATTER = re.compile(
    r"\ufeff?(?:---[ \t]*\n(?=\S).*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
    r"|\+\+\+[ \t]*\n.*?\n\+\+\+[ \t]*(?:\n|\Z)|\ufeff)",
    re.DOTALL,
)
# Words with nothing between them that any rule would look at.
_INERT = re.compile(r"[A-Za-z0-9,;]+(?: [A-Za-z0-9,;]+)*")


class _OverBudget(Exception):
    """The page has taken longer than it may."""


def clean(
    markdown: str,
    config: MarkdownCleanupConfig,
    *,
    clock: Callable[[], float] = time.thread_time,
) -> CleanupResult:
    """`markdown` improved by the rules of `config`, with what a reader sees unharmed.

    Never raises for what is in the text: a page that cannot be read, or takes too long, comes
    back as it was last known to be good.
    """
    return _Cleaning(markdown, config, clock).run()


class _Cleaning:
    def __init__(
        self, markdown: str, config: MarkdownCleanupConfig, clock: Callable[[], float]
    ) -> None:
        self._original = markdown
        self._config = config
        self._clock = clock
        self._started = clock()
        self._counts: dict[str, RuleCount] = {}
        self._reverted = 0
        self._spellings = spelling_table(config.acronyms)
        self._language = ""

    def run(self) -> CleanupResult:
        if not self._config.rules:
            return self._result(self._original, Outcome.UNCHANGED)
        # Pages with one kind of line end are cleaned in the other and given theirs back.
        returns = self._original.count("\r")
        crlf = returns and returns == self._original.count("\r\n") == self._original.count("\n")
        text = self._original.replace("\r\n", "\n") if crlf else self._original
        front = _FRONT_MATTER.match(text)
        head = text[: front.end()] if front else ""
        body, outcome = self._clean_body(text[len(head) :])
        text = head + body
        if crlf:
            text = text.replace("\n", "\r\n")
        if outcome is Outcome.CLEANED and text == self._original:
            outcome = Outcome.UNCHANGED
        return self._result(text, outcome)

    def _clean_body(self, verified: str) -> tuple[str, Outcome]:
        """The best verified text, which is the one given if nothing better is reached in time."""
        try:
            page = read_page(verified)
            self._language = page_language(self._config.language, _sample(page))
            edits = self._artifact_edits(page)
            if edits:
                verified = self._settled(page, edits, words_and_blocks)
                page = read_page(verified)
            self._check_time()
            edits = self._prose_edits(page)
            if edits:
                verified = self._settled(page, edits, structure)
        except _OverBudget:
            return verified, Outcome.OVER_BUDGET
        except (MarkdownUnreadable, UnicodeEncodeError):
            return verified, Outcome.UNREADABLE
        return verified, Outcome.CLEANED

    def _artifact_edits(self, page: Page) -> list[Edit]:
        rules = [rule for rule in ARTIFACT_RULES if rule.name in self._config.rules]
        if not rules:
            return []
        edits = []
        wraps = WRAP.name in self._config.rules
        for leaf in page.leaves:
            if leaf.text.isascii() and "**" not in leaf.text and "](" not in leaf.text:
                continue  # neither marks nor the characters that debris is made of
            # What will be wrapped later is read here as it will be then: on one line.
            before = joined(leaf.text) if wraps and may_wrap(leaf) else leaf.text
            text = self._applied(rules, before, self._surroundings(leaf, leaf.pieces, ""))
            if text != before:
                breaks = ["\n" + continuation_prefix(leaf.prefix)] * text.count("\n")
                if before is leaf.text:
                    breaks = leaf.breaks
                source = as_written(text, leaf.pieces, breaks)
                edits.append(Edit(start=leaf.start, end=leaf.end, text=source))
        if "comments" in self._config.rules:
            edits += self._counted("comments", empty_comment_edits(page))
            edits.sort(key=lambda edit: edit.start)
        return edits

    def _prose_edits(self, page: Page) -> list[Edit]:
        escapes = [rule for rule in ESCAPE_RULES if rule.name in self._config.rules]
        prose = [rule for rule in PROSE_RULES if rule.name in self._config.rules]
        wraps = WRAP.name in self._config.rules
        edits = []
        for leaf in page.leaves:
            edit = self._prose_edit(leaf, escapes, prose, wraps=wraps)
            if edit is not None and edit.text.encode() != page.raw[leaf.start : leaf.end]:
                edits.append(edit)
        if "spaces" in self._config.rules:
            edits += self._counted("spaces", blank_line_edits(page))
            edits.sort(key=lambda edit: edit.start)
        return edits

    def _prose_edit(
        self, leaf: Leaf, escapes: list[CleanupRule], prose: list[CleanupRule], *, wraps: bool
    ) -> Edit | None:
        if (
            leaf.kind is not LeafKind.HEADING
            and len(leaf.prefix) + len(leaf.text) <= self._config.line_length
            and _INERT.fullmatch(leaf.text)
        ):
            return None
        wraps = wraps and may_wrap(leaf)
        pieces = leaf.pieces.copy()
        surroundings = self._surroundings(leaf, pieces, continuation_prefix(leaf.prefix))
        before = joined(leaf.text) if wraps else leaf.text
        unescaped = self._applied(escapes, before, surroundings)
        try:
            hidden = protect(unescaped, pieces)
        except TooManyPieces:
            return None
        text = self._applied(prose, hidden, surroundings)
        if not wraps:
            if unescaped == leaf.text and text == hidden:
                return None
            source = as_written(text, pieces, leaf.breaks)
        else:
            wrapped = self._applied([WRAP], text, surroundings)
            if unescaped == leaf.text and wrapped == hidden and "\n" not in wrapped:
                return None
            lines = "\n" + surroundings.prefix
            source = as_written(wrapped, pieces, [lines] * wrapped.count("\n"))
        return Edit(start=leaf.start, end=leaf.end, text=source)

    def _surroundings(self, leaf: Leaf, pieces: list[str], prefix: str) -> Surroundings:
        return Surroundings(
            kind=leaf.kind,
            pieces=pieces,
            prefix=prefix,
            lead=len(leaf.prefix) - len(prefix),
            language=self._language,
            spellings=self._spellings,
            line_length=self._config.line_length,
        )

    def _applied(self, rules: list[CleanupRule], text: str, surroundings: Surroundings) -> str:
        for rule in rules:
            if surroundings.kind in rule.kinds:
                text = self._attempted(rule, text, surroundings)
        return text

    def _attempted(self, rule: CleanupRule, text: str, surroundings: Surroundings) -> str:
        """What `rule` makes of `text`, or `text` itself where the rule fails or oversteps."""
        try:
            changed = rule.apply(text, surroundings)
        except Exception:  # whatever it was, the other rules and leaves must not pay for it
            self._count(rule.name).failed += 1
            return text
        if changed == text:
            return text
        if not _keeps_marks(rule, text, changed) or (
            surroundings.kind is LeafKind.HEADING and heading_slug(changed) != heading_slug(text)
        ):
            self._count(rule.name).rejected += 1
            return text
        self._count(rule.name).applied += 1
        return changed

    def _settled(self, page: Page, edits: list[Edit], fingerprint: Callable[[str], object]) -> str:
        def in_time(text: str) -> object:
            self._check_time()
            return fingerprint(text)

        spans = [(block.start, block.end) for block in page.blocks if not block.depth]
        kept, text = harmless(page.raw, edits, in_time, spans)
        self._reverted += len(edits) - len(kept)
        return text

    def _check_time(self) -> None:
        if self._clock() - self._started > self._config.time_budget_seconds:
            raise _OverBudget

    def _count(self, name: str) -> RuleCount:
        return self._counts.setdefault(name, RuleCount())

    def _counted(self, name: str, edits: list[Edit]) -> list[Edit]:
        if edits:
            self._count(name).applied += len(edits)
        return edits

    def _result(self, text: str, outcome: Outcome) -> CleanupResult:
        return CleanupResult(
            text=text,
            outcome=outcome,
            rules=self._counts,
            reverted=self._reverted,
            seconds=self._clock() - self._started,
        )


def _sample(page: Page) -> str:
    return " ".join(leaf.text for leaf in page.leaves[:200])


def _keeps_marks(rule: CleanupRule, before: str, after: str) -> bool:
    if before.isascii() and after.isascii():
        return True
    return _marks(rule, before) == _marks(rule, after)


def _marks(rule: CleanupRule, text: str) -> list[str]:
    marks = ANY_MARK.findall(text)
    droppable = {class_of(start) for start in rule.may_drop}
    return [
        chr(ord(mark) + BACKSLASH_BREAK - SPACES_BREAK) if class_of(mark) == SPACES_BREAK else mark
        for mark in marks
        if class_of(mark) not in droppable
    ]
