"""SECURITY.md names a test for each bound, and each test that it names is there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_every_test_that_the_threat_model_names_exists() -> None:
    lines = (ROOT / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    bounds = [line for line in lines if line.startswith("| ")][2:]
    assert len(bounds) > 15
    for bound in bounds:
        (named,) = NAMED.findall(bound)
        file, test = named
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        assert test in {node.name for node in tree.body if isinstance(node, functions)}, bound
