"""Cleanup that improves a page and never harms it: `clean(markdown, config)`."""

from markmirror.convert.cleanup.config import MarkdownCleanupConfig
from markmirror.convert.cleanup.engine import clean
from markmirror.convert.cleanup.result import CleanupResult, CleanupStats, Outcome, RuleCount
from markmirror.convert.cleanup.rule import CleanupRule
from markmirror.convert.cleanup.rules import RULES

__all__ = [
    "RULES",
    "CleanupResult",
    "CleanupRule",
    "CleanupStats",
    "MarkdownCleanupConfig",
    "Outcome",
    "RuleCount",
    "clean",
]
