"""Storage format and the Markdown it becomes: one case for each thing Confluence can store."""

from tests.confluence.storage_cases.code import CODE
from tests.confluence.storage_cases.links import FILES, LINKS
from tests.confluence.storage_cases.macros import BOXES, SMALL_MACROS
from tests.confluence.storage_cases.text import LISTS_AND_TABLES, TEXT
from tests.confluence.storage_cases.writing import CONTEXT, Case, macro, plain, rich

CASES = [*TEXT, *LISTS_AND_TABLES, *CODE, *BOXES, *SMALL_MACROS, *FILES, *LINKS]

__all__ = ["CASES", "CONTEXT", "Case", "macro", "plain", "rich"]
