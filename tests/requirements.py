"""What the program was asked for: every requirement and scenario, by its title, and its home.

The titles are those of the documents the program was built from, word for word. A test proves a
requirement by naming it in its docstring, with the number of the document: `Seed 000: <title>.`
Requirements that have a number are named by it: `FR-021.`
"""

from dataclasses import dataclass

from tests import confluence_requirements


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One thing that was asked for. `modules` are below src/markmirror/.

    `through`: other titles (with their document's number) that say the same in more detail, so
    that what proves them proves this too.
    """

    seed: str
    group: str
    title: str
    modules: tuple[str, ...]
    through: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The title in the table, with the requirement it is a scenario of."""
        return f"{self.group} › {self.title}"

    @property
    def proofs(self) -> tuple[tuple[str, str], ...]:
        """The titles that a test may name to prove this."""
        return ((self.seed, self.title), *self.through)


DOCUMENTS = {
    "000": "sitemap-content-mirroring",
    "001": "URL Filtering & Selection",
    "002": "Sitemap Content Mirroring Architecture",
    "003": "Confluence Space to Markdown Extraction Library",
    "004": "Sitemap 爬虫规范增量",
}

_Scenarios = dict[str, str]

_ASKED: dict[str, dict[str, _Scenarios]] = {
    "000": {
        "URL-to-Filesystem Path Mapping": {
            "Standard URL path mapping": "output/paths.py",
            "Query string handling": "output/paths.py",
            "Fragment stripping": "output/paths.py web/urls.py",
            "Filename length enforcement": "output/paths.py",
        },
        "HTML Content Fetching and Conversion": {
            "Successful HTML conversion": "convert/html.py convert/page.py pipeline/saving.py",
            "Non-HTML content handling": "fetch/client.py pipeline/failures.py "
            "output/placeholders.py",
            "Relative URL absolutification": "convert/links.py",
            "Script and style removal": "convert/furniture.py",
        },
        "Rate Limiting for Content Fetches": {
            "Default rate limiting": "fetch/politeness.py options.py",
            "Custom rate limit": "fetch/politeness.py options.py",
            "429 response handling": "pipeline/downloading.py retry.py web/dates.py",
        },
        "Resumable Checkpoint System": {
            "Checkpoint creation": "state/processed.py pipeline/saving.py",
            "Resume from checkpoint": "pipeline/opening.py pipeline/planning.py state/processed.py",
            "Corrupt checkpoint recovery": "state/recovery.py pipeline/opening.py",
        },
        "Error Isolation Strategy": {
            "Skip mode (default)": "pipeline/failures.py output/placeholders.py",
            "Abort mode": "pipeline/failures.py pipeline/run.py",
            "Transient error retry": "pipeline/downloading.py retry.py",
        },
        "Disk Space Guard": {
            "Max pages limit": "pipeline/budget.py state/verdicts.py",
            "Disk space check": "pipeline/run.py output/files.py",
        },
        "Duplicate URL Detection": {
            "Explicit duplicate": "state/pages.py",
            "Redirect deduplication": "pipeline/saving.py",
            "Canonical URL detection": "pipeline/settling.py state/verdicts.py convert/metadata.py",
        },
        "Progress Reporting": {
            "Stderr progress output": "progress.py",
            "Progress file updates": "progress.py pipeline/outputs.py",
        },
        "Manifest and Index Generation": {
            "Manifest creation": "pipeline/outputs.py",
            "Index creation": "output/index.py pipeline/outputs.py",
        },
        "Incremental Update Mode": {
            "Update mode activation": "plan.py pipeline/planning.py",
            "Selective re-fetching": "plan.py pipeline/planning.py",
            "New page detection": "pipeline/planning.py",
        },
        "Security Path Validation": {
            "Symlink escape prevention": "output/files.py",
            "Parent directory traversal": "output/paths.py output/files.py",
        },
    },
    "001": {
        "Content authors can filter URLs by regex pattern": {
            "Include only documentation URLs": "sources/website/filters.py",
            "Exclude blog and archive sections": "sources/website/filters.py",
            "Complex filter combination": "sources/website/filters.py",
        },
        "Content authors can filter URLs by path prefix": {
            "Include multiple top-level sections": "sources/website/filters.py options.py",
            "Exclude specific paths": "sources/website/filters.py options.py",
        },
        "Content authors can filter by sitemap priority": {
            "Only process high-priority pages": "sources/website/filters.py",
        },
        "Content authors can filter by change frequency": {
            "Only process frequently updated content": "sources/website/filters.py",
        },
        "Checkpoint tracks filtered URLs": {
            "Resume after filter adjustment": "pipeline/run.py pipeline/planning.py state/pages.py",
        },
    },
    "004": {
        "Sitemap XML 获取": {
            "成功获取标准 sitemap.xml": "sources/website/discovery.py fetch/client.py",
            "处理重定向": "sources/website/discovery.py fetch/client.py",
            "处理超时": "sources/website/discovery.py fetch/client.py",
            "处理网络错误": "sources/website/discovery.py retry.py",
        },
        "Sitemap XML 解析": {
            "解析标准 sitemap.xml": "web/sitemap/parser.py state/pages.py",
            "解析 sitemap 索引文件": "sources/website/discovery.py state/sitemaps.py",
            "处理无效 XML": "web/sitemap/parser.py web/sitemap/lexer.py",
            "处理空 sitemap": "pipeline/discovering.py api.py",
        },
        "性能优化": {
            "处理大型 sitemap（10,000+ URLs）": "web/sitemap/parser.py web/sitemap/entries.py",
            "限制 sitemap 大小": "web/sitemap/inflate.py",
            "并发处理子 sitemap": "sources/website/discovery.py state/sitemaps.py",
        },
        "错误处理和日志": {
            "记录成功执行": "sources/website/discovery.py logs.py",
            "记录警告": "sources/website/discovery.py logs.py",
            "记录错误": "sources/website/discovery.py logs.py",
        },
    },
}

# Decisions, goals and risks of the design document, each with the scenarios that detail it.
_DESIGNED: dict[str, dict[str, tuple[str, tuple[tuple[str, str], ...]]]] = {
    "Key Decisions": {
        "D1: URL→Filepath Mapping Algorithm": (
            "output/paths.py state/claims.py",
            (("002", "D1"),),
        ),
        "D2: Checkpoint Strategy": (
            "state/processed.py state/ledger.py pipeline/outputs.py",
            (("002", "D2"),),
        ),
        "D3: Error Handling Strategy": (
            "pipeline/failures.py fetch/client.py retry.py",
            (
                ("002", "D3"),
                ("000", "Skip mode (default)"),
                ("000", "Abort mode"),
                ("000", "Transient error retry"),
            ),
        ),
        "D4: Rate Limiting Architecture": (
            "fetch/politeness.py api.py",
            (("002", "D4"),),
        ),
        "D5: HTML Preprocessing Pipeline": (
            "convert/html.py convert/furniture.py convert/links.py",
            (
                ("002", "D5"),
                ("000", "Relative URL absolutification"),
                ("000", "Script and style removal"),
            ),
        ),
        "D6: Output Structure": (
            "pipeline/outputs.py output/index.py output/placeholders.py",
            (("002", "D6"), ("000", "Manifest creation"), ("000", "Index creation")),
        ),
    },
    "Goals": {
        "Mirror website content to local Markdown with directory structure matching URL paths": (
            "pipeline/run.py output/paths.py",
            (("000", "Standard URL path mapping"), ("000", "Successful HTML conversion")),
        ),
        "Enable resumable crawls (checkpoint/restore)": (
            "pipeline/opening.py state/queues.py",
            (("000", "Resume from checkpoint"), ("002", "D2")),
        ),
        "Provide configurable error handling and rate limiting": (
            "options.py pipeline/failures.py fetch/politeness.py",
            (
                ("000", "Skip mode (default)"),
                ("000", "Abort mode"),
                ("000", "Custom rate limit"),
            ),
        ),
        "Generate navigable index and machine-readable manifest": (
            "pipeline/outputs.py output/index.py",
            (("000", "Manifest creation"), ("000", "Index creation")),
        ),
    },
    "Risks / Trade-offs": {
        "Disk exhaustion on large sites": (
            "pipeline/run.py pipeline/budget.py",
            (("000", "Max pages limit"), ("000", "Disk space check")),
        ),
        "Server lockout from aggressive crawling": (
            "fetch/politeness.py retry.py",
            (("000", "Default rate limiting"), ("000", "429 response handling")),
        ),
        "Memory exhaustion loading 50k URLs": (
            "state/database.py state/processed.py web/sitemap/parser.py",
            (("004", "处理大型 sitemap（10,000+ URLs）"),),
        ),
        "Corrupt output from crash": (
            "output/files.py pipeline/saving.py",
            (("000", "Resume from checkpoint"), ("002", "D2")),
        ),
        "Symlink escape attack": (
            "output/files.py",
            (("000", "Symlink escape prevention"),),
        ),
    },
}


def _asked(seed: str) -> tuple[Requirement, ...]:
    return tuple(
        Requirement(seed=seed, group=group, title=title, modules=tuple(modules.split()))
        for group, scenarios in _ASKED[seed].items()
        for title, modules in scenarios.items()
    )


def _designed() -> tuple[Requirement, ...]:
    return tuple(
        Requirement(
            seed="002", group=group, title=title, modules=tuple(modules.split()), through=through
        )
        for group, items in _DESIGNED.items()
        for title, (modules, through) in items.items()
    )


def _exported() -> tuple[Requirement, ...]:
    asked = tuple(
        Requirement(
            seed="003",
            group=group,
            title=title,
            modules=tuple(modules.split()),
            through=(("003", title.partition(": ")[0]),),
        )
        for group, items in confluence_requirements.ASKED.items()
        for title, modules in items.items()
    )
    codes = tuple(
        Requirement(
            seed="003",
            group="Exit Codes",
            title=title,
            modules=tuple(modules.split()),
            through=tuple(("003", name) for name in names),
        )
        for title, (modules, names) in confluence_requirements.EXIT_CODES.items()
    )
    return asked + codes


REQUIREMENTS = (*_asked("000"), *_asked("001"), *_designed(), *_exported(), *_asked("004"))
