"""What a ledger knows beyond the queues when its pages come from a Confluence space.

The two queues, the pages' fates and the files on disk are kept as for any mirror; `pages.id` is the
page's id in Confluence. Triggers write every change of either queue into `queue_items` within the
same commit, which is what `queues.json` shows.
"""

from markmirror.state.database import Database

_NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

SCHEMA = f"""
-- Every page some listing or reference told of.
CREATE TABLE IF NOT EXISTS space_pages (
    page            INTEGER PRIMARY KEY,
    space_key       TEXT NOT NULL,
    title           TEXT NOT NULL,
    ancestors       TEXT NOT NULL,               -- JSON: [[id, title, type], …], root first
    parent          INTEGER,
    depth           INTEGER NOT NULL,
    position        INTEGER,
    version         INTEGER NOT NULL,
    modified        TEXT NOT NULL,
    author          TEXT NOT NULL,
    labels          TEXT NOT NULL,               -- JSON
    web_url         TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,               -- of all that is told of the page
    seen_in         INTEGER NOT NULL,            -- the newest run that was told of it
    source          TEXT NOT NULL,               -- initial | macro | reference | listed
    discovered_from INTEGER,
    discovered_in   INTEGER NOT NULL,
    path            TEXT,                        -- where its file belongs
    exported        TEXT,                        -- the fingerprint its file was made from
    head_hash       TEXT,                        -- of the front matter but for its time
    tree            TEXT,                        -- digest of the tree shown on it, if any
    has_places      INTEGER NOT NULL DEFAULT 0,  -- 1: links to headings of other pages
    condition       TEXT,                        -- missing_or_restricted | archived
    missing_runs    INTEGER NOT NULL DEFAULT 0,
    missing_in      INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS space_pages_by_title ON space_pages (space_key, title COLLATE NOCASE);
CREATE INDEX IF NOT EXISTS space_pages_by_parent ON space_pages (parent);

-- Names in the tree, of pages and of what is only a directory.
CREATE TABLE IF NOT EXISTS places (
    node   INTEGER PRIMARY KEY,
    folder TEXT NOT NULL,
    name   TEXT NOT NULL,
    slug   TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS attachments (
    id            TEXT PRIMARY KEY,
    page          INTEGER NOT NULL,
    name          TEXT NOT NULL,
    version       INTEGER NOT NULL,
    size_bytes    INTEGER,
    media_type    TEXT NOT NULL,
    url           TEXT NOT NULL,
    path          TEXT NOT NULL,
    status        TEXT NOT NULL DEFAULT 'pending', -- pending | saved | failed | denied | too-large
    saved_version INTEGER,
    saved_bytes   INTEGER,
    tried_in      INTEGER NOT NULL DEFAULT 0,
    reason        TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS attachments_by_page ON attachments (page);

-- What a written page refers to, and by which path it was told to (NULL: at its source).
CREATE TABLE IF NOT EXISTS links (
    page   INTEGER NOT NULL,
    target INTEGER NOT NULL,
    path   TEXT,
    PRIMARY KEY (page, target)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS links_by_target ON links (target);

-- Files of other pages that a written page refers to, and by which path it was told to (NULL: at
-- their source).
CREATE TABLE IF NOT EXISTS file_links (
    page   INTEGER NOT NULL,
    holder INTEGER NOT NULL,
    name   TEXT NOT NULL,
    path   TEXT,
    PRIMARY KEY (page, holder, name)
) WITHOUT ROWID;

-- References that could not be looked up in this run.
CREATE TABLE IF NOT EXISTS unresolved (
    page      INTEGER NOT NULL,
    reference TEXT NOT NULL,
    reason    TEXT NOT NULL,
    PRIMARY KEY (page, reference)
) WITHOUT ROWID;

-- References of written pages to what is hidden from us, gone, or was never there: by the id of the
-- page meant, or by its space and title.
CREATE TABLE IF NOT EXISTS unseen (
    page       INTEGER NOT NULL,
    reference  TEXT NOT NULL,
    reason     TEXT NOT NULL,
    content_id TEXT NOT NULL,
    space_key  TEXT NOT NULL,
    title      TEXT NOT NULL,
    PRIMARY KEY (page, reference)
) WITHOUT ROWID;

-- The newest body of each page, so that its links can be rewritten without fetching it again.
CREATE TABLE IF NOT EXISTS bodies (
    page INTEGER PRIMARY KEY,
    body BLOB NOT NULL
);

CREATE TABLE IF NOT EXISTS people (
    key          TEXT PRIMARY KEY,
    display_name TEXT NOT NULL,
    username     TEXT NOT NULL
) WITHOUT ROWID;

-- Files that have lost their owner and are about to be deleted.
CREATE TABLE IF NOT EXISTS stale_files (
    path TEXT PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS queue_items (
    page          INTEGER NOT NULL,
    queue         TEXT NOT NULL,                 -- download | processing
    status        TEXT NOT NULL,
    retries       INTEGER NOT NULL DEFAULT 0,
    discovered_at TEXT NOT NULL,
    changed_at    TEXT NOT NULL,
    PRIMARY KEY (page, queue)
) WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS download_put AFTER INSERT ON downloads BEGIN
    INSERT INTO queue_items VALUES
        (new.page, 'download', new.status, new.attempts, {_NOW}, {_NOW})
    ON CONFLICT DO UPDATE SET status = excluded.status, changed_at = excluded.changed_at,
        discovered_at = excluded.discovered_at, retries = excluded.retries;
END;
CREATE TRIGGER IF NOT EXISTS download_changed AFTER UPDATE OF status, attempts ON downloads BEGIN
    UPDATE queue_items SET status = new.status, changed_at = {_NOW},
        retries = retries + (new.status = 'failed')
    WHERE page = new.page AND queue = 'download';
END;
CREATE TRIGGER IF NOT EXISTS processing_put AFTER INSERT ON processing BEGIN
    INSERT INTO queue_items VALUES (new.page, 'processing', new.status, 0,
        coalesce((SELECT discovered_at FROM queue_items
                  WHERE page = new.page AND queue = 'download'), {_NOW}), {_NOW})
    ON CONFLICT DO UPDATE SET status = excluded.status, changed_at = excluded.changed_at,
        discovered_at = excluded.discovered_at;
END;
CREATE TRIGGER IF NOT EXISTS processing_changed AFTER UPDATE OF status ON processing BEGIN
    UPDATE queue_items SET status = new.status, changed_at = {_NOW},
        retries = retries + (new.status = 'failed')
    WHERE page = new.page AND queue = 'processing';
END;
CREATE TRIGGER IF NOT EXISTS processing_done AFTER DELETE ON processing BEGIN
    UPDATE queue_items SET status = 'completed', changed_at = {_NOW}
    WHERE page = old.page AND queue = 'processing' AND status <> 'failed';
END;
"""


def install_space_tables(database: Database) -> None:
    """Make the tables that a space needs, if they are not there yet."""
    with database.transaction() as connection:
        statement = ""
        for line in SCHEMA.splitlines():
            statement += line + "\n"
            ends = "END;" if "CREATE TRIGGER" in statement else ";"
            if line.split("--")[0].rstrip().endswith(ends):
                connection.execute(statement)
                statement = ""
