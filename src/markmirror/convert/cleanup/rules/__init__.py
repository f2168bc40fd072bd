"""The rules of cleanup, in the order they run."""

from markmirror.convert.cleanup.marks import (
    ESCAPE,
    HTML,
    LINK_CLOSE,
    LINK_OPEN,
    STRONG_CLOSE,
    STRONG_OPEN,
    span,
)
from markmirror.convert.cleanup.rule import BODY, HEADINGS, CleanupRule
from markmirror.convert.cleanup.rules.apostrophes import curl_apostrophes
from markmirror.convert.cleanup.rules.artifacts import (
    clear_debris,
    drop_empty_comments,
    mend_links,
)
from markmirror.convert.cleanup.rules.bold import settle_bold
from markmirror.convert.cleanup.rules.dashes import set_dashes
from markmirror.convert.cleanup.rules.ellipses import join_ellipses
from markmirror.convert.cleanup.rules.escapes import drop_needless_escapes
from markmirror.convert.cleanup.rules.footnotes import move_footnotes
from markmirror.convert.cleanup.rules.labels import trim_labels
from markmirror.convert.cleanup.rules.quotes import curl_quotes
from markmirror.convert.cleanup.rules.spaces import even_spaces
from markmirror.convert.cleanup.rules.title_case import set_title_case
from markmirror.convert.cleanup.rules.wrap import wrap_lines

# Rules that may change what links to what; the page is read anew after them.
ARTIFACT_RULES = (
    CleanupRule(name="comments", priority=10, apply=drop_empty_comments, may_drop=span(HTML)),
    CleanupRule(name="links", priority=20, apply=mend_links, may_drop=span(LINK_OPEN, LINK_CLOSE)),
    CleanupRule(name="debris", priority=30, apply=clear_debris),
)
# Rules that see backslashes before URLs and other code in prose are hidden from the rest.
ESCAPE_RULES = (
    CleanupRule(name="escapes", priority=40, apply=drop_needless_escapes, may_drop=ESCAPE),
)
PROSE_RULES = (
    CleanupRule(name="spaces", priority=42, apply=even_spaces),
    CleanupRule(name="labels", priority=45, apply=trim_labels),
    CleanupRule(
        name="bold", priority=50, apply=settle_bold, may_drop=span(STRONG_OPEN, STRONG_CLOSE)
    ),
    CleanupRule(name="footnotes", priority=60, apply=move_footnotes, kinds=BODY),
    CleanupRule(name="apostrophes", priority=70, apply=curl_apostrophes),
    CleanupRule(name="quotes", priority=80, apply=curl_quotes),
    CleanupRule(name="ellipses", priority=90, apply=join_ellipses),
    CleanupRule(name="dashes", priority=100, apply=set_dashes),
    CleanupRule(name="title-case", priority=110, apply=set_title_case, kinds=HEADINGS),
)
WRAP = CleanupRule(name="wrap", priority=120, apply=wrap_lines, kinds=BODY)
RULES: tuple[CleanupRule, ...] = (*ARTIFACT_RULES, *ESCAPE_RULES, *PROSE_RULES, WRAP)
