"""A sitemap parser that is fed with bytes, holds no I/O, and can go on in another process."""

import re
from collections.abc import Iterator

from markmirror.web.sitemap.blocks import ENTRY_NAME, Block, BlockReader, Malformed
from markmirror.web.sitemap.encoding import decoded, detect_encoding, encoded_length
from markmirror.web.sitemap.entries import (
    ENTRY_LIMIT,
    STEP_BYTES,
    SitemapCursor,
    SitemapEntry,
    SitemapFacts,
    SitemapKind,
    Tally,
)
from markmirror.web.sitemap.lexer import LITERAL_ENDS, LONGEST_TOKEN, Lexer, lexer
from markmirror.web.sitemap.plain import CHARACTERS_PER_WORK, EntryMaker, plain_columns, plain_entry
from markmirror.web.sitemap.prolog import NO_SITEMAP, read_opening
from markmirror.web.urls import normalise_url, origin_of

_OVER_LIMIT = f"an entry has more than {ENTRY_LIMIT:,} characters"
# Below the limit of an entry, so that no entry in a stretch can be over it.
_STRETCH = 64 * 1024
# Of a text sitemap, whose every line may be short and odd.
_STRETCH_OF_LINES = 32 * 1024
# What an entry costs that is not taken in a stretch, or a stretch without an entry, and how much
# of that makes a step. A unit is about 10 µs.
_PLAIN_WORK = 1
_ODD_WORK = 4
_GAP_WORK = 900
_STEP_WORK = 2400
_LONE_LOC = "a URL stands outside of any entry"


def steps(data: bytes) -> Iterator[bytes]:
    """Cut a document into pieces that one step of the parser takes."""
    for start in range(0, len(data), STEP_BYTES):
        yield data[start : start + STEP_BYTES]


class SitemapParser:
    """Finds the URLs in sitemaps of every kind, however broken. Never raises.

    Feed it the decompressed document in pieces of at most STEP_BYTES, then call `finish`. What an
    entry says depends on that entry alone, so any way of cutting gives the same entries.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._buffer = b""
        self._offset = 0
        self._encoding = ""
        self._kind = SitemapKind.PENDING
        self._root = ""
        self._prefix = ""
        self._page_prefixes: tuple[str, ...] = ()
        self._skip = ""
        self._closed = False
        self._truncated = False
        self._tally = Tally()
        base = normalise_url(url) or ""
        self._origin = origin_of(base)
        self._maker = EntryMaker(base, self._tally)
        self._lexer: Lexer | None = None
        self._reader: BlockReader | None = None
        self._plain: re.Pattern[str] | None = None
        self._end_tag = ""
        self._work = 0
        self._behind = False

    @classmethod
    def resume(cls, cursor: SitemapCursor) -> "SitemapParser":
        """A parser that is to be fed with the bytes from `cursor.offset` on."""
        parser = cls(cursor.url)
        parser._offset = cursor.offset
        parser._encoding = cursor.encoding
        parser._kind = cursor.kind
        parser._root = cursor.root
        parser._prefix = cursor.prefix
        parser._page_prefixes = cursor.page_prefixes
        parser._skip = cursor.skip
        parser._closed = cursor.closed
        tally = parser._tally
        tally.entries, tally.invalid, tally.relative = (
            cursor.entries,
            cursor.invalid,
            cursor.relative,
        )
        tally.fell_back, tally.error = cursor.fell_back, cursor.error
        parser._prepare()
        return parser

    @property
    def cursor(self) -> SitemapCursor:
        """Where another parser can take over, having been fed from `offset` on."""
        tally = self._tally
        return SitemapCursor(
            url=self._url,
            offset=self._offset,
            kind=self._kind,
            encoding=self._encoding,
            root=self._root,
            prefix=self._prefix,
            page_prefixes=self._page_prefixes,
            skip=self._skip,
            closed=self._closed,
            entries=tally.entries,
            invalid=tally.invalid,
            relative=tally.relative,
            fell_back=tally.fell_back,
            error=tally.error,
        )

    @property
    def facts(self) -> SitemapFacts:
        """What is known so far; final after `finish`."""
        tally = self._tally
        return SitemapFacts(
            kind=self._kind,
            entries=tally.entries,
            invalid=tally.invalid,
            relative=tally.relative,
            truncated=self._truncated,
            fell_back=tally.fell_back,
            error=tally.error,
        )

    def read(self, data: bytes) -> Iterator[list[SitemapEntry]]:
        """Take the next bytes step by step, each step well below 50 ms of CPU.

        Most often there is one step. Sitemaps in which every entry is odd or broken take more, and
        between them, too, the cursor can be handed over.
        """
        self._buffer += data
        yield self._step(final=False)
        while self._behind:
            yield self._step(final=False)

    def feed(self, data: bytes) -> list[SitemapEntry]:
        """Take the next bytes and give the entries that are complete with them."""
        return [entry for found in self.read(data) for entry in found]

    def finish(self, *, complete: bool = True) -> list[SitemapEntry]:
        """Say that no more bytes come, and take the last entries.

        `complete` is False if the transfer broke off; the last line of a text sitemap is not
        believed then. XML shows by itself whether it was cut.
        """
        found = self._step(final=True, complete=complete)
        while self._behind:
            found += self._step(final=True, complete=complete)
        if self._kind is SitemapKind.PENDING:
            # It ended inside of whatever it began with.
            self._kind = SitemapKind.UNKNOWN
            self._tally.error = self._tally.error or NO_SITEMAP
        xml = self._kind in ENTRY_NAME
        self._truncated = not complete or (xml and not self._closed)
        return found

    def _step(self, *, final: bool, complete: bool = True) -> list[SitemapEntry]:
        found: list[SitemapEntry] = []
        self._work = 0
        self._behind = False
        self._read(found, final=final, complete=complete)
        return found

    def _read(self, found: list[SitemapEntry], *, final: bool, complete: bool) -> None:
        if not self._encoding:
            encoding = detect_encoding(self._buffer, final=final)
            if encoding is None:
                return
            self._encoding = encoding.name
            self._drop(encoding.mark_bytes)
        text, undecoded = decoded(self._buffer, self._encoding)
        position = 0
        while True:
            if self._skip:
                position = self._after_skipped(text, position)
                if self._skip:
                    break
            if self._kind is not SitemapKind.PENDING:
                break
            opened = self._open(text[position:] if position else text, final=final)
            if opened is None:
                break
            position += opened
        if not self._skip:
            position = self._read_content(text, position, found, final=final and complete)
        waiting = text[position:]
        self._drop(len(self._buffer) - undecoded - encoded_length(waiting, self._encoding))

    def _read_content(
        self, text: str, position: int, found: list[SitemapEntry], *, final: bool
    ) -> int:
        if self._kind is SitemapKind.TEXT:
            return self._read_lines(text, position, found, final=final)
        if self._kind in ENTRY_NAME:
            return self._read_entries(text, position, found)
        return position if self._kind is SitemapKind.PENDING else len(text)

    def _drop(self, count: int) -> None:
        self._offset += count
        self._buffer = self._buffer[count:]

    def _open(self, text: str, *, final: bool) -> int | None:
        """Read one step of the document's opening; the characters it took, None if it waits."""
        opening = read_opening(text, final=final)
        if opening is None:
            return None
        if opening.error and (opening.kind in ENTRY_NAME or opening.kind is SitemapKind.PENDING):
            self._tally.broken(opening.error)
        elif opening.error:
            self._tally.error = self._tally.error or opening.error
        self._kind = opening.kind
        self._skip = opening.skip
        self._root = opening.root
        self._prefix = opening.prefix
        self._page_prefixes = opening.page_prefixes
        self._closed = opening.closed
        self._prepare()
        return opening.end

    def _prepare(self) -> None:
        if self._kind in ENTRY_NAME:
            self._lexer = lexer(self._root, ENTRY_NAME[self._kind], self._prefix)
            self._reader = BlockReader(self._kind, self._page_prefixes)
            name = ENTRY_NAME[self._kind]
            self._end_tag = f"</{self._prefix}:{name}>" if self._prefix else f"</{name}>"
        # Feeds have no plain entries, and where fields of a page can have two prefixes none is.
        one_prefix = not self._page_prefixes or self._page_prefixes == (self._prefix,)
        if self._kind in (SitemapKind.URLSET, SitemapKind.INDEX) and one_prefix:
            self._plain = plain_entry(ENTRY_NAME[self._kind], self._prefix, self._origin)

    def _after_skipped(self, text: str, position: int) -> int:
        """Go to the end of what is being skipped, or as far as it is known to reach."""
        ends = self._lexer.ends if self._lexer else LITERAL_ENDS
        if end := ends[self._skip].search(text, position):
            self._skip = ""
            return end.end()
        return max(position, len(text) - LONGEST_TOKEN)

    def _read_lines(
        self, text: str, position: int, found: list[SitemapEntry], *, final: bool
    ) -> int:
        """Take the complete lines of a stretch; the position of what has to wait."""
        line_end = LITERAL_ENDS["line"]
        stretch = line_end.search(text, position + _STRETCH_OF_LINES)
        if stretch:
            self._behind = True
            end = stretch.end()
        else:
            end = len(text) if final else max(text.rfind("\n"), text.rfind("\r")) + 1
            end = max(end, position)
        for line in text[position:end].splitlines():
            if line.strip():
                self._add_line(line.strip(), found)
        if len(text) - end >= ENTRY_LIMIT and not self._behind:
            self._tally.invalid += 1
            self._skip = "line"
            return len(text)
        return end

    def _add_line(self, line: str, found: list[SitemapEntry]) -> None:
        if line[:4].lower() == "http" and len(line.split()) == 1:
            self._maker.make(line, "", "", "", found)
        else:
            self._tally.invalid += 1

    def _read_entries(self, text: str, position: int, found: list[SitemapEntry]) -> int:
        """Take all complete entries; the position of what has to wait for more."""
        while self._work < _STEP_WORK:
            if self._skip:
                position = self._after_skipped(text, position)
                if self._skip:
                    return position
            until = self._end_of_stretch(text, position)
            if self._take_plain(text[position:until], found):
                position = until
                continue
            waits, position = self._walk(text, position, until, found)
            if waits:
                return position
        self._behind = True
        return position

    def _end_of_stretch(self, text: str, position: int) -> int:
        """Where the last entry ends that may be taken together with those before it."""
        limit = min(len(text), position + _STRETCH)
        last = text.rfind(self._end_tag, position, limit) if self._plain else -1
        return last + len(self._end_tag) if last >= 0 else limit

    def _take_plain(self, region: str, found: list[SitemapEntry]) -> bool:
        """Take a stretch of whole entries at once, if there is nothing unusual in any of them."""
        if not self._plain or not region.endswith(self._end_tag):
            return False
        columns = plain_columns(region, self._plain)
        if columns is None:
            return False
        self._work += self._maker.plain(columns, found)
        return True

    def _walk(
        self, text: str, position: int, until: int, found: list[SitemapEntry]
    ) -> tuple[bool, int]:
        """Take one thing after the other up to `until`, at least one.

        Says whether what follows has to wait for more text, and the position reached.
        """
        assert self._lexer is not None
        while True:
            limit = min(len(text), position + _STRETCH)
            token = self._lexer.between.search(text, position, limit)
            if token is None:
                # A token may have begun at the very end.
                start = text.rfind("<", max(position, limit - LONGEST_TOKEN), limit)
                self._work += _GAP_WORK
                return limit == len(text), start if start >= 0 else limit
            kind = token.lastgroup or ""
            self._work += _PLAIN_WORK
            if kind in LITERAL_ENDS:
                self._skip = kind
                position = self._after_skipped(text, token.end())
                if self._skip:
                    return True, position
            elif kind == "close":
                self._closed = True
                position = token.end()
            else:
                end = self._entry_end(text, token.start(), kind)
                if end is None:
                    return True, token.start()
                if self._skip:
                    return False, end
                self._take_block(text[token.start() : end], kind, found)
                position = end
            if position >= until or self._work >= _STEP_WORK:
                return False, position

    def _entry_end(self, text: str, start: int, kind: str) -> int | None:
        """Where the entry that starts here ends; None if that is still to come.

        An entry over the limit is dropped: the skipping of the rest of it is begun.
        """
        assert self._lexer is not None
        if empty := self._lexer.empty.match(text, start, start + ENTRY_LIMIT):
            return empty.end()
        limit = min(len(text), start + ENTRY_LIMIT)
        position = start + 1
        while token := self._lexer.inside[kind].search(text, position, limit):
            found = token.lastgroup or ""
            if found == "end":
                return token.end()
            if found in ("next", "close"):
                return token.start()
            literal_end = LITERAL_ENDS[found].search(text, token.end(), limit)
            if literal_end is None:
                break
            position = literal_end.end()
        if len(text) - start < ENTRY_LIMIT:
            return None
        self._tally.invalid += 1
        self._tally.broken(_OVER_LIMIT)
        self._work += ENTRY_LIMIT // CHARACTERS_PER_WORK
        self._skip = kind
        # A step back, since the end tag may lie across the limit.
        return start + ENTRY_LIMIT - len(f"</{ENTRY_NAME[self._kind]}>")

    def _take_block(self, block: str, kind: str, found: list[SitemapEntry]) -> None:
        assert self._reader is not None
        if "<!" not in block and "<?" not in block and self._take_plain(block, found):
            return
        self._work += _ODD_WORK + len(block) // CHARACTERS_PER_WORK
        if kind == "loc":
            entry: Block | Malformed = Malformed(
                error=_LONE_LOC, recognised=self._reader.recognise(block)
            )
        else:
            entry = self._reader.read(block)
        if isinstance(entry, Malformed):
            self._tally.broken(entry.error)
            entries = entry.recognised
            self._tally.invalid += not entries
        else:
            entries = [entry]
        for one in entries:
            self._maker.make(one.loc, one.lastmod, one.changefreq, one.priority, found)
