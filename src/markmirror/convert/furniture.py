"""What a reader does not call content: navigation, buttons, permalinks, banners, hidden parts.

Names are the common generators' own. Each is matched as a whole class or id, never as a part of
one, because `header` inside `table-header` is no header.
"""

import re

from markmirror.convert import tree
from markmirror.convert.admonitions import may_be_box
from markmirror.convert.stash import Stash
from markmirror.convert.vocabulary import words

# Gone wherever it stands.
_TAGS = (
    *("script", "style", "template", "noscript", "link", "meta", "title", "head", "nav", "footer"),
    *("dialog", "button", "select", "datalist", "progress", "canvas", "rp", "input", "aside"),
    *("header", "svg"),
)
# Asides that stay, as do boxes: what docutils and MkDocs Material set beside the text.
_ASIDES_KEPT = words(
    "citation example footnote footnote-list footnotes md-typeset sidebar system-message topic"
)
_HIDING = "[hidden],[aria-hidden=true],[role],[style]"
_ROLES = words(
    "navigation search banner contentinfo complementary toolbar menu menubar dialog alertdialog"
)
_HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)

_CLASSES = words(
    # permalinks and heading anchors
    "headerlink permalink hash-link header-anchor anchorjs-link heading-anchor anchor-link",
    "heading-link headinglink toc-anchor self-link doc-anchor direct-link octicon-link",
    "headeranchor-link reference-link section-link hanchor sl-anchor-link",
    # copy buttons and codes
    "copybtn copy-button copy-btn copybutton btn-copy clipboard-button zeroclipboard-container",
    "clipboard-copy btn-clipboard button-copy code-copy copy-code-button code-toolbar-item",
    "buttonGroup__atx toolbar run-button play-button code-block-buttons sphinx-tabs-tab-copy",
    # edit and source links
    "edit-link edit-this-page theme-edit-this-page mw-editsection editsection viewcode-link",
    "viewcode-back editthispage edit-page edit-page-link page-edit source-link srclink src-link",
    "docs-sourcelink view-source github-link edit-on-github gh-link improve-page",
    "method-click-advice view-source-button link-seesrc",
    # breadcrumbs, pagers, navigation
    "breadcrumb breadcrumbs theme-doc-breadcrumbs breadcrumbs-container rst-breadcrumbs-buttons",
    "wy-breadcrumbs wy-breadcrumbs-extra breadcrumbs-nav nav-breadcrumb nav-breadcrumbs navpath",
    "tsd-breadcrumb pagination pagination-nav pager page-nav pagenav page-navigation prev-next",
    "prev-next-area next-prev prevnext rst-footer-buttons md-footer post-navigation nav-links",
    "nav-previous nav-next navheader navfooter navigation navbar nav-bar topnav bottomnav top-nav",
    "bottom-nav sub-nav subnav nav-list-search related related-pages sphinxsidebar",
    "sphinxsidebarwrapper sidebar-nav sidebar-wrapper sidebar-container md-sidebar md-header",
    "md-tabs wy-nav-side wy-nav-top bd-sidebar bd-header bd-sidebar-primary bd-sidebar-secondary",
    "bd-header-article header-article sidebar-drawer toc-drawer menubar main-menu site-menu",
    "nav-menu skip-link skip-to-content skip-nav skiplink skip-navigation skipnav",
    "screen-reader-text visually-hidden sr-only header-nav sidetree book-summary sidebar-scrollbox",
    "mobile-nav chapter-nav nav-chapters nav-wide-wrapper nav-wrapper navleft navright docnav",
    "bottom-actions copy-popup-wrapper pageId docInfo dont-index mainmenu submenu",
    "nav-panel nav_table navigate previous_page next_page",
    "phpdocumentor-on-this-page__sidebar phpdocumentor-sidebar__menu-icon toplang bottomlang",
    # footers and site furniture
    "site-header site-footer page-footer page-header-nav doc-footer footer-nav colophon",
    "theme-doc-footer last-updated lastupdated theme-last-updated post-meta entry-meta",
    "entry-footer entry-utility page-meta meta-links prev_next_wrap catlinks printfooter",
    "mw-jump-link noprint navbox metadata sistersitebox mbox-small version-warning ethical-ads",
    "rst-versions versions-dropdown theme-doc-version-badge theme-doc-version-banner",
    "theme-unlisted-banner theme-draft-banner theme-doc-card-icon pageinfo md-source-file",
    "md-feedback md-content__button jekyll-pager docs-feedback page-feedback was-this-helpful",
    "helpful rating-widget reading-time d-print-none back-to-top content-icon-container",
    # the heading and contents that Sphinx Book Theme repeats on paper
    "onlyprint onthispage",
    # notebooks and galleries of examples
    "jp-InputPrompt jp-OutputPrompt input_prompt output_prompt celltoolbar clipboard-copy-txt",
    "sphx-glr-download-link-note sphx-glr-signature sphx-glr-timing sphx-glr-thumbnail-title",
    # banners, sharing, comments
    "cookie-banner cookie-notice cookie-consent cookieconsent cc-window gdpr announcement",
    "announcement-bar announcementbar theme-announcement-bar sl-banner newsletter",
    "newsletter-signup subscribe share share-buttons share-bar sharing sharedaddy social-share",
    "social-links social-icons addthis addtoany_share_save_container jp-relatedposts comments",
    "comment-list comment-respond disqus advert advertisement ads ad-container banner-ad",
    "author-box sponsor",
    # line numbers outside of code blocks, rustdoc and javadoc controls
    "linenos linenodiv line-numbers-rows lineno rightside out-of-band src-line-numbers",
    "collapse-toggle notable-traits hideme tooltip-toggle sidebar-elems search-container",
    "search-form searchbox summary_toggle inheritanceTree shortcomment search-box search-bar",
    "search-results js-only legend-toggle sub-title-toggle bottomNav topNav subNav skipNav",
    "table-tabs fixedNav menu-wrapper dyncontent-trigger MJX_Assistive_MathML MathJax_Preview",
    "MathJax_Error toggle-summary headerNavigation",
    # GitHub, GitBook, ReadMe
    "file-actions zeroclipboard pagination-bar page-actions rm-Pagination rm-SuggestEdits",
)
# Docusaurus adds a hash to these: what stands around and below code that can be edited in place.
_HASHED = ("playgroundHeader_", "playgroundPreview_")

_IDS = words(
    "sidebar navigation nav navbar footer site-footer page-footer header-nav breadcrumbs",
    "breadcrumb comments disqus_thread cookie-banner cookie-notice cookie-consent side-nav",
    "nav-path MSearchBox MSearchSelectWindow MSearchResultsWindow searchbox search-form navrow1",
    "navrow2 catlinks siteSub contentSub jump-to-nav mw-navigation mw-head mw-panel footer-info",
    "p-search skip-link skip-to-content toc-sidebar bottom-nav top-nav related pagination",
    "back-to-top newsletter-signup quicksearch indexsidebar projectname-header mbrsel",
)

# Tables of contents, which are furniture beside content and content where there is nothing else.
_CONTENTS_CLASSES = words(
    "toc table-of-contents tableofcontents local-toc page-toc pagetoc on-this-page",
    "toctree-l1-only md-nav--secondary theme-doc-toc-mobile theme-doc-toc-desktop shortcontents",
    "vp-local-nav toc-wrapper toc-container tocblock toc2 summary-toc minitoc",
    "mini-toc intra-page-nav",
)
# Docutils calls its table `contents` and one of these; `contents` alone is all of Doxygen's text.
_BESIDE_CONTENTS = frozenset({"topic", "local"})
_CONTENTS_IDS = words(
    "toc TOC table-of-contents tableofcontents on-this-page page-toc topics",
    "contents-sidebar SEC_Contents SEC_Shortcontents markdown-toc dw__toc",
)

# Furniture where they stand together: the number of a cell, which nbsphinx writes as code beside
# the code, and the name of its file, which pkgdown hides in a page for a search to find.
_TOGETHER = (frozenset({"prompt", "highlight-none"}), frozenset({"d-none", "name"}))
# What Texinfo calls its lines of links to the next page, and others the head of a box.
_HEADER = "header"
_PAGER_LINKS = "a[rel=next],a[rel=prev],a[rel=up]"
_TITLES = frozenset({"h2", "h3", "h4", "h5", "h6"})
_HEADINGS = _TITLES | {"h1"}
_WIDGET_TAGS = frozenset({"div", "nav", "ul", "ol", "aside", "details", "form", "table", "p"})
_MOST = 0.95
_CONTENT_TAGS = frozenset({"body", "main", "article", "html", "h1", "h2", "h3", "h4", "pre"})


def class_verdict(classes: list[str]) -> str:
    """What these classes make of an element: "furniture", "contents", or nothing."""
    if not _CLASSES.isdisjoint(classes) or any(map(set(classes).issuperset, _TOGETHER)):
        return "furniture"
    if _HEADER in classes or any(name.startswith(_HASHED) for name in classes):
        return "furniture"
    if "contents" in classes and not _BESIDE_CONTENTS.isdisjoint(classes):
        return "contents"
    return "" if _CONTENTS_CLASSES.isdisjoint(classes) else "contents"


def remove_furniture(
    content: tree.Element,
    furniture: list[tree.Element],
    contents: list[tree.Element],
    stash: Stash,
) -> None:
    """Take out of the content what its reader would not miss.

    `furniture` and `contents` are the elements that are furniture and tables of contents by their
    class. A table of contents stays where it is most of what there is, code in the stash included.
    """
    for node in [node for node in content.iter_elements(_TAGS) if _is_machinery(node)]:
        node.extract()
    removed = [node for node in content.select(_HIDING) if _is_hidden(node)]
    removed += [node for node in furniture if _is_taken_at_its_word(node)]
    tables_of_contents = [node for node in contents if node.tag not in _CONTENT_TAGS]
    for node in content.select("[id]"):
        name = node.attr("id")
        if (name in _IDS or name in _CONTENTS_IDS) and _is_widget(node):
            (removed if name in _IDS else tables_of_contents).append(node)
    if _is_too_much(content, removed, stash):
        return
    for node in removed:
        if _is_header(node):
            _remove_rule(node)
        node.extract()
    if tables_of_contents:
        _remove_contents(content, tables_of_contents, stash)


def _is_too_much(content: tree.Element, removed: list[tree.Element], stash: Stash) -> bool:
    """Whether names alone would take nearly everything: then they mean something else here."""
    size = sum(map(stash.length_of, removed))
    if not size or size <= _MOST * stash.length_of(content):
        return False
    # On a short page that misleads: a template's indentation, what stands in each other and what
    # went with a menu are counted, too.
    known = set(removed)
    standing = tree.outermost([node for node in content.iter_elements() if node in known])
    return sum(_said(node, stash) for node in standing) > _MOST * _said(content, stash)


def _said(node: tree.Element, stash: Stash) -> int:
    """How much an element says with what is kept aside."""
    return stash.length_of(node) - len(node.text) + tree.words_of(node)


def _is_taken_at_its_word(node: tree.Element) -> bool:
    """Whether an element can be the furniture that its class names."""
    if _is_header(node):
        is_pager = node.select_one(_PAGER_LINKS) is not None
        return is_pager and next(node.iter_elements(_HEADINGS), None) is None
    if node.tag == "p" and node.has_class("shortcomment"):
        # Scaladoc's first sentence of a comment goes if all of the comment follows.
        whole = tree.next_element(node)
        return whole is not None and whole.select_one("div.comment") is not None
    if node.has_class("pageinfo"):
        # Docsy writes a banner above the text in the way in which an author writes a box in it.
        return isinstance(node.parent, tree.Element) and node.parent.tag == "main"
    # What an author puts into a table of related things is his own.
    is_related = node.tag == "table" and node.has_class("related")
    if node.tag in _CONTENT_TAGS:
        # Footnotes are told from the rest by themselves.
        return node.attr("id") == "footnote-label"
    return not is_related


def _is_header(node: tree.Element) -> bool:
    """Whether an element is furniture, if at all, because it is called a header."""
    classes = tree.classes_of(node)
    return _HEADER in classes and _CLASSES.isdisjoint(classes)


def _remove_rule(pager: tree.Element) -> None:
    """Take out the line that Texinfo draws between its links and the text."""
    for side in (pager.next_siblings, pager.previous_siblings):
        rule = tree.first_element(side)
        if rule is not None and rule.tag == "hr":
            rule.extract()
            return


def _is_widget(node: tree.Element) -> bool:
    """Whether a name like "navigation" is a widget's: an author's section has its title's name."""
    return node.tag in _WIDGET_TAGS and not node.has_class("section")


def _is_machinery(node: tree.Element) -> bool:
    """Whether an element that usually holds no content holds none here."""
    match node.tag:
        case "input":
            return node.attr("type") != "checkbox"
        case "button":
            return not _is_told_by(node)
        case "aside":
            classes = tree.classes_of(node)
            return _ASIDES_KEPT.isdisjoint(classes) and not may_be_box(classes)
        case "header":
            # A header inside the content stays if it holds the heading of the page or of a box,
            # or with Documenter the name of what is described.
            is_named = node.select_one("h1,h2,h3,h4,h5,h6,.docstring-binding") is not None
            return not is_named and not node.has_class("admonition-header")
        case _:
            return True


def _is_told_by(button: tree.Element) -> bool:
    """Whether a button holds a part of the text: the title of what it opens."""
    holder = button.parent
    if isinstance(holder, tree.Element) and holder.tag in _HEADINGS:
        return button.text.strip() == holder.text.strip()
    if button.closest("ul.nextra-filetree") is not None:
        return True
    # Redoc's operations, responses and properties.
    return button.select_one(".http-verb,.property-name,strong+span>p") is not None


def _is_hidden(node: tree.Element) -> bool:
    """Whether an element is not shown, or is a part of the page's machinery."""
    role = node.attr("role")
    if role in _ROLES:
        return True
    if "hidden" in node.attrs or _HIDDEN_STYLE.search(tree.attribute(node, "style")):
        # A tab that is not in front is hidden only until its reader asks for it.
        return role != "tabpanel"
    if node.attr("aria-hidden") != "true" or _is_said_by_label(node):
        return False
    return node.select_one("pre,table,h1,h2") is None


def _is_said_by_label(node: tree.Element) -> bool:
    """Whether an element is hidden from screen readers only because they are told its words."""
    outer = node.parent
    label = outer.attr("aria-label") if isinstance(outer, tree.Element) else None
    return bool(label) and tree.line_of(node) == " ".join((label or "").split())


def _remove_contents(content: tree.Element, tables: list[tree.Element], stash: Stash) -> None:
    total = left = stash.length_of(content)
    for table in tables:
        size = stash.length_of(table)
        if 2 * (left - size) > total:
            _remove_title(table)
            table.extract()
            left -= size


def _remove_title(table: tree.Element) -> None:
    """Take out the heading of a table of contents that nothing else stands under."""
    before = tree.first_element(table.previous_siblings)
    after = tree.first_element(table.next_siblings)
    if before is None or after is None or not {before.tag, after.tag} <= _TITLES:
        return
    # A smaller heading would stand under it.
    if after.tag <= before.tag:
        before.extract()
