"""The end of a run, when everything is known: duplicates, pages left over, pages that are gone."""

import logging

from markmirror.model import Status
from markmirror.pipeline.mirror import Mirror

log = logging.getLogger(__name__)

# A site whose pages mostly name another, different page as canonical is broken, not full of copies.
FEWEST_PAGES_TO_JUDGE = 20


def merge_copies(mirror: Mirror) -> None:
    """Pages with the same canonical URL are one page, unless the site's canonicals are broken."""
    run = mirror.run.number
    present = mirror.ledger.pages.on_disk(run)
    if present < FEWEST_PAGES_TO_JUDGE and mirror.ledger.pages.reasons(Status.LEFT, run):
        # More pages are to come, and they may show that the canonicals are broken.
        return
    different = mirror.ledger.verdicts.copies_that_differ(run)
    believed = not (present >= FEWEST_PAGES_TO_JUDGE and different * 2 > present)
    mirror.advance(canonicals_believed=believed)
    if not believed:
        log.warning(
            "most pages name a different page as their canonical one; canonicals are not believed",
            extra={"pages": present, "different": different},
        )
        return
    for page, stays in mirror.ledger.verdicts.copies(run):
        entry = mirror.ledger.pages.entry(page)
        assert entry is not None
        # First the file: a run that is killed in between comes here again, since its entry stands.
        mirror.tree.remove(entry.path)
        with mirror.ledger.transaction():
            mirror.ledger.pages.forget_entry(page)
            mirror.ledger.claims.release(entry.final_url)
            mirror.ledger.pages.settle(page, Status.DUPLICATE, run=run, reason=stays)


def settle_file_names(mirror: Mirror) -> None:
    """Let pages that stepped aside for nothing have the plain names; then all names are final."""
    claims = mirror.ledger.claims
    claims.release_unused(mirror.run.number)
    for url in claims.suffixed():
        mirror.claim_plain_name(url)
    claims.settle()


def remove_gone_pages(mirror: Mirror) -> int:
    """Delete the pages that this run's sitemaps no longer name; how many there were."""
    gone = list(mirror.ledger.pages.gone(mirror.run.number))
    given_up = list(mirror.ledger.pages.given_up(mirror.run.number))
    for page, url, path in gone:
        mirror.tree.remove(path)
        with mirror.ledger.transaction():
            entry = mirror.ledger.pages.entry(page)
            if entry is not None:
                mirror.ledger.claims.release(entry.final_url)
            mirror.ledger.claims.release(url)
            mirror.ledger.pages.delete(page)
    if gone or given_up:
        # Otherwise a page that comes back would be taken for one a person wants passed over.
        mirror.processed.forget([*(url for _, url, _ in gone), *given_up])
    mirror.ledger.pages.forget_unlisted(mirror.run.number)
    return len(gone)


def why_not_prune(mirror: Mirror) -> str | None:
    """The brake: a reason to believe that the sitemap, not the site, has lost pages."""
    run = mirror.run
    listed = mirror.ledger.pages.in_scope(run.number)
    if not run.discovery_whole:
        return "a sitemap could not be read"
    if run.expected_sitemap and not mirror.ledger.sitemaps.has_read(run.expected_sitemap):
        return f"{run.expected_sitemap}, which named them before, is no sitemap any more"
    if listed * 2 < run.previously_listed:
        return f"the sitemap shrank from {run.previously_listed} to {listed} URLs"
    # What the run before had listed may not be known any more, or may itself have been too little.
    gone = sum(1 for _ in mirror.ledger.pages.gone(run.number))
    on_disk = gone + mirror.ledger.pages.on_disk(run.number)
    if gone * 2 > on_disk:
        return f"the sitemap no longer names {gone} of {on_disk} pages on disk"
    if unknown := mirror.ledger.pages.of_unknown_source():
        return f"it is no longer known which sitemap named {unknown} of {on_disk} pages on disk"
    return None
