"""What to do with each page, decided from the ledger and the disk. Can be repeated at any time."""

from collections.abc import Callable
from dataclasses import dataclass

from markmirror.convert.front_matter import read_front_matter
from markmirror.model import Status
from markmirror.output.space_paths import Node, Place, place_all, space_directory
from markmirror.output.tree import OutputTree
from markmirror.pipeline.space.export import Export
from markmirror.state.space import KnownPage
from markmirror.state.space_files import KnownAttachment

_SETTLED = (Status.SAVED, Status.UNCHANGED, Status.SKIPPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run is going to do; `left` pages wait for a later run because of --limit."""

    due: list[int]
    unchanged: list[int]
    left: list[int]


def plan(export: Export, *, limit: int | None, again: bool = False) -> Plan:
    """Give every page its path and decide which are to be fetched; nothing is queued yet.

    `again`: this process has planned before, so pages that failed since then have had their chance.
    """
    give_names(export)
    run = export.run.number
    settled = (*_SETTLED, Status.FAILED) if again else _SETTLED
    if again or limit is not None:
        # Left by this run, also when it was interrupted since: the limit is the run's.
        settled = (*settled, Status.LEFT)
    due: list[int] = []
    unchanged: list[int] = []
    left: list[int] = []
    fates = export.ledger.pages.fates(run)
    waiting = {item.page for item in export.ledger.processing.waiting()}
    unread = export.store.unread()
    for page in export.store.of_run(run):
        fate = fates[page.page]
        if page.page in waiting or (fate.settled_in == run and fate.status in settled):
            continue
        may_stay = export.run.mode != "fresh" and page.page not in unread
        if may_stay and is_current(export, page):
            unchanged.append(page.page)
        elif limit is not None and page.source == "initial" and len(due) >= limit:
            left.append(page.page)
        else:
            due.append(page.page)
    return Plan(due=due, unchanged=unchanged, left=left)


def put_into_queue(export: Export, decided: Plan) -> None:
    """Commit the plan: what is due waits in the download queue, breadth first."""
    verdicts, run = export.ledger.verdicts, export.run.number
    with export.ledger.transaction():
        export.queues.enqueue(decided.due)
        verdicts.keep(decided.unchanged, run)
        verdicts.leave(decided.left, run)


def is_current(export: Export, page: KnownPage) -> bool:
    """Whether the file on disk is what an export of the page would write now."""
    entry = export.ledger.pages.entry(page.page)
    if entry is None or page.exported != page.fingerprint:
        return False
    if entry.path != page.path or entry.recipe != export.recipe:
        return False
    found = export.tree.stat(entry.path)
    if found is None or found.size != entry.size_bytes:
        return False
    return all(_is_in_place(export, file) for file in export.files.of(page.page))


def _is_in_place(export: Export, file: KnownAttachment) -> bool:
    largest, size = export.options.max_attachment_size, file.size_bytes
    if file.status == "too-large" and largest is not None and size is not None:
        return size > largest
    return export.has_saved(file)


def give_names(export: Export) -> None:
    """A path for every page that has, or will have, a file; names given before stay."""
    held = export.store.places()
    pages = export.store.with_files(export.run.number)
    by_space: dict[str, list[KnownPage]] = {}
    for page in pages:
        by_space.setdefault(page.space_key, []).append(page)
    places: dict[int, Place] = {}
    for key, members in by_space.items():
        top = f"{space_directory(key)}/"
        nodes = _nodes(members)
        taken: set[str] = set()
        while True:
            given = place_all(nodes, top=top, held=held, taken=taken)
            strangers = set(_strangers(export, members, given)) - taken
            if not strangers:
                break
            taken |= strangers
        places |= given
    _keep(export, held, places, pages)


def _nodes(pages: list[KnownPage]) -> list[Node]:
    """The pages, and what only stands above them: folders, or pages that are not ours to export."""
    nodes: dict[int, Node] = {}
    for page in pages:
        above: int | None = None
        for ancestor, title, _ in page.ancestors:
            nodes.setdefault(ancestor, Node(id=ancestor, title=title, parent=above))
            above = ancestor
    for page in pages:
        nodes[page.page] = Node(id=page.page, title=page.title, parent=page.parent)
    return list(nodes.values())


def _strangers(export: Export, pages: list[KnownPage], given: dict[int, Place]) -> list[str]:
    """Paths where something stands that is not ours, so that the page must go elsewhere."""
    return [
        given[page.page].file
        for page in pages
        if page.path != given[page.page].file
        and is_strangers(
            export.tree, given[page.page].file, page.page, export.ledger.pages.is_owned
        )
    ]


def is_strangers(tree: OutputTree, path: str, page: int, is_ours: Callable[[str], bool]) -> bool:
    """Whether something that no export of this page wrote stands at a path."""
    if not tree.is_occupied(path) or is_ours(path):
        return False
    if tree.stat(path) is None:
        return True
    fields = read_front_matter(tree.read(path))
    return fields is None or fields.get("pageId") != str(page)


def _keep(
    export: Export, held: dict[int, Place], places: dict[int, Place], pages: list[KnownPage]
) -> None:
    for node, place in places.items():
        export.names.give(node, place)
    for node, place in held.items():
        if node not in places:
            export.names.reserve(node, place)
    with export.ledger.transaction():
        export.store.keep_places(
            (node, place) for node, place in places.items() if held.get(node) != place
        )
        for page in pages:
            path = places[page.page].file
            if page.path != path:
                export.store.set(page.page, path=path)
