"""Print docs/requirements.md: what was asked for, and what the tests say they prove.

python -m tests.requirements_table > docs/requirements.md
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.requirements import DOCUMENTS, REQUIREMENTS, Requirement

TESTS = Path(__file__).parent
HEAD = """# Requirements

Each requirement and scenario by its title, the modules that fulfil it (below `src/markmirror/`),
and the tests that prove it (below `tests/`). A test is here because its docstring names the
requirement; this page is printed by `python -m tests.requirements_table`, and a test keeps it
complete and current.
"""
_NAMED = re.compile(r"Seed (00\d): ")
_NUMBERED = re.compile(r"\bN?FR-\d{3}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A test, and what it says it proves: the text after each `Seed 00x:`, and every `FR-0xx`."""

    name: str
    claims: tuple[tuple[str, str], ...]

    def proves(self, requirement: Requirement) -> bool:
        return any(
            seed == claimed_seed and _names(text, title)
            for seed, title in requirement.proofs
            for claimed_seed, text in self.claims
        )


def _names(text: str, title: str) -> bool:
    """Whether a claim holds this title, as whole words."""
    return re.search(rf"(?<!\w){re.escape(title)}(?!\w)", text) is not None


@cache
def proofs() -> tuple[Proof, ...]:
    """Every test whose docstring claims to prove something, in the order of their files."""
    return tuple(proof for file in sorted(TESTS.rglob("test_*.py")) for proof in _proofs_of(file))


def _proofs_of(file: Path) -> Iterator[Proof]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        docstring = " ".join((ast.get_docstring(node) or "").split())
        _, *parts = _NAMED.split(docstring)
        claims = (
            *zip(parts[::2], parts[1::2], strict=True),
            *(("003", number) for number in _NUMBERED.findall(docstring)),
        )
        if node.name.startswith("test_") and claims:
            yield Proof(name=f"{file.relative_to(TESTS).as_posix()}::{node.name}", claims=claims)


def table() -> str:
    """The whole page."""
    known = proofs()
    lines = [HEAD]
    for seed, document in DOCUMENTS.items():
        lines += [f"## {seed}: {document}\n", "| requirement | modules | tests |"]
        lines.append("| --- | --- | --- |")
        for requirement in REQUIREMENTS:
            if requirement.seed == seed:
                lines.append(_row(requirement, known))
        lines.append("")
    return "\n".join(lines)


def _row(requirement: Requirement, known: tuple[Proof, ...]) -> str:
    modules = "<br>".join(f"`{module}`" for module in requirement.modules)
    tests = "<br>".join(f"`{proof.name}`" for proof in known if proof.proves(requirement))
    return f"| {requirement.name} | {modules} | {tests} |"


if __name__ == "__main__":
    print(table(), end="")
