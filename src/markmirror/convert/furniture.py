"""What a reader does not call content: navigation, buttons, permalinks, banners, hidden parts.

Names are the common generators' own. Each is matched as a whole class or id, never as a part of
one, because `header` inside `table-header` is no header.
"""

import re
from functools import lru_cache

from markmirror.convert import tree
from markmirror.convert.vocabulary import words

# Gone wherever it stands.
_ALWAYS = (
    "script,style,template,noscript,link,meta,title,head,nav,footer,dialog,button,select,datalist,"
    "progress,canvas,object:empty,rp,"
    "[hidden]:not([role=tabpanel]),[role=navigation],[role=search],[role=banner],"
    "[role=contentinfo],[role=complementary],[role=toolbar],[role=menu],[role=menubar],"
    "[role=dialog],[role=alertdialog],[role=button]:not(a):not(summary):not(:has(pre,p)),"
    "[style*='display:none'],[style*='display: none'],[style*='visibility:hidden'],"
    "[style*='visibility: hidden'],"
    "input:not([type=checkbox]),[aria-hidden=true]:not(:has(pre,table,h1,h2))"
)

_CLASSES = words(
    # permalinks and heading anchors
    "headerlink permalink hash-link header-anchor anchorjs-link heading-anchor anchor-link "
    "heading-link headinglink toc-anchor self-link doc-anchor direct-link octicon-link "
    "headeranchor-link reference-link section-link hanchor "
    # copy buttons and codes
    "copybtn copy-button copy-btn copybutton btn-copy clipboard-button zeroclipboard-container "
    "clipboard-copy btn-clipboard button-copy code-copy copy-code-button code-toolbar-item "
    "buttonGroup__atx toolbar run-button play-button code-block-buttons sphinx-tabs-tab-copy "
    # edit and source links
    "edit-link edit-this-page theme-edit-this-page mw-editsection editsection viewcode-link "
    "viewcode-back editthispage edit-page edit-page-link page-edit source-link srclink src-link "
    "view-source github-link edit-on-github gh-link improve-page "
    # breadcrumbs, pagers, navigation
    "breadcrumb breadcrumbs theme-doc-breadcrumbs breadcrumbs-container rst-breadcrumbs-buttons "
    "wy-breadcrumbs wy-breadcrumbs-extra breadcrumbs-nav nav-breadcrumb nav-breadcrumbs navpath "
    "pagination pagination-nav pager page-nav pagenav page-navigation prev-next prev-next-area "
    "next-prev prevnext rst-footer-buttons md-footer post-navigation nav-links nav-previous "
    "nav-next navheader navfooter navigation navbar nav-bar topnav bottomnav top-nav bottom-nav "
    "sub-nav subnav nav-list-search related related-pages sphinxsidebar sphinxsidebarwrapper "
    "sidebar-nav sidebar-wrapper sidebar-container md-sidebar md-header md-tabs wy-nav-side "
    "wy-nav-top bd-sidebar bd-header bd-sidebar-primary bd-sidebar-secondary bd-header-article "
    "header-article sidebar-drawer toc-drawer menubar main-menu site-menu nav-menu "
    "skip-link skip-to-content skip-nav skiplink skip-navigation skipnav screen-reader-text "
    "visually-hidden sr-only header-nav sidetree book-summary sidebar-scrollbox mobile-nav "
    "chapter-nav nav-chapters nav-wide-wrapper nav-wrapper navleft navright "
    # footers and site furniture
    "site-header site-footer page-footer page-header-nav doc-footer footer-nav colophon "
    "theme-doc-footer last-updated lastupdated theme-last-updated post-meta entry-meta "
    "entry-footer entry-utility page-meta meta-links prev_next_wrap catlinks printfooter "
    "mw-jump-link noprint navbox metadata sistersitebox mbox-small version-warning ethical-ads "
    "rst-versions versions-dropdown theme-doc-version-badge theme-doc-version-banner "
    "md-source-file md-feedback md-content__button jekyll-pager docs-feedback "
    "page-feedback was-this-helpful helpful rating-widget "
    # banners, sharing, comments
    "cookie-banner cookie-notice cookie-consent cookieconsent cc-window gdpr announcement "
    "announcement-bar announcementbar newsletter newsletter-signup subscribe share share-buttons "
    "share-bar sharing sharedaddy social-share social-links social-icons addthis "
    "addtoany_share_save_container jp-relatedposts comments comment-list comment-respond "
    "disqus advert advertisement ads ad-container banner-ad author-box sponsor "
    # line numbers outside of code blocks, rustdoc and javadoc controls
    "linenos linenodiv line-numbers-rows lineno rightside out-of-band src-line-numbers "
    "collapse-toggle tooltip-toggle sidebar-elems search-container search-form searchbox "
    "search-box search-bar search-results js-only legend-toggle sub-title-toggle bottomNav topNav "
    "subNav skipNav skip-nav table-tabs fixedNav menu-wrapper dyncontent-trigger "
    "MJX_Assistive_MathML MathJax_Preview MathJax_Error toggle-summary headerNavigation "
    # GitHub, GitBook, ReadMe
    "file-actions zeroclipboard pagination-bar page-actions rm-Pagination rm-SuggestEdits",
)

_IDS = words(
    "sidebar navigation nav navbar footer site-footer page-footer header-nav breadcrumbs",
    "breadcrumb comments disqus_thread cookie-banner cookie-notice cookie-consent side-nav",
    "nav-path MSearchBox MSearchSelectWindow MSearchResultsWindow searchbox search-form navrow1",
    "navrow2 catlinks siteSub contentSub jump-to-nav mw-navigation mw-head mw-panel footer-info",
    "p-search skip-link skip-to-content toc-sidebar bottom-nav top-nav related pagination",
    "back-to-top newsletter-signup quicksearch indexsidebar projectname-header",
)

# Tables of contents, which are furniture beside content and content where there is nothing else.
_CONTENTS_CLASSES = words(
    "toc table-of-contents tableofcontents contents local-toc page-toc pagetoc on-this-page",
    "toctree-l1-only md-nav--secondary theme-doc-toc-mobile theme-doc-toc-desktop shortcontents",
    "vp-local-nav toc-wrapper toc-container tocblock toc2 summary-toc minitoc",
    "mini-toc intra-page-nav",
)
_CONTENTS_IDS = words(
    "toc TOC table-of-contents tableofcontents on-this-page page-toc",
    "contents-sidebar",
)

_CONTENT_TAGS = frozenset({"body", "main", "article", "html", "h1", "h2", "h3", "h4", "pre"})
_EDIT_WORDS = re.compile(
    r"\W*(?:edit(?: this)?(?: page| section| source)?(?: on (?:git(?:hub|lab)|bitbucket))?|"
    r"view (?:page )?source|show source|page source|suggest edits?|improve this page|source|src|"
    r"report (?:a bug|an issue)(?: (?:on|with) this page)?|back to top|skip to (?:main )?content|"
    r"permalink|link to this (?:heading|definition|headline)|copy(?: to clipboard)?)\W*\Z",
    re.IGNORECASE,
)
_PERMALINK = re.compile(r"[\s¶#§◆🔗⚓☍∞\ufe0e\ufe0f\ue157\uf0c1\uf471]*\Z")


def remove_furniture(content: tree.Element) -> None:
    """Take out of the content what its reader would not miss."""
    content.remove(_ALWAYS)
    removed = []
    tables_of_contents = []
    for node in content.iter_elements():
        classes = node.attr("class") or ""
        name = node.attr("id") or ""
        if not (classes or name):
            if node.tag == "aside":
                removed.append(node)
            continue
        verdict = _verdict(node.tag, classes, name)
        if verdict == "furniture":
            removed.append(node)
        elif verdict == "contents":
            tables_of_contents.append(node)
    for node in removed:
        node.extract()
    _remove_contents(content, tables_of_contents)
    _unwrap_headers(content)


def is_permalink(text: str) -> bool:
    """Whether a link's text is only the sign that stands for "link to here"."""
    return _PERMALINK.match(text) is not None


def is_edit_link(text: str) -> bool:
    """Whether a link's text is a site's offer rather than the author's words."""
    return len(text) < 60 and _EDIT_WORDS.match(text) is not None


@lru_cache(maxsize=16384)
def _verdict(tag: str, classes: str, name: str) -> str:
    if tag in _CONTENT_TAGS:
        return ""
    tokens = classes.split()
    if not _CLASSES.isdisjoint(tokens) or name in _IDS:
        return "furniture"
    if not _CONTENTS_CLASSES.isdisjoint(tokens):
        return "contents"
    # An author's section may be called "Contents"; a widget of that name is never a section.
    if name in _CONTENTS_IDS and tag != "section" and "section" not in tokens:
        return "contents"
    if tag == "aside" and _ASIDES_KEPT.isdisjoint(tokens):
        return "furniture"
    return ""


_ASIDES_KEPT = words(
    "admonition footnote footnote-list footnotes topic sidebar starlight-aside callout note",
    "warning tip hint danger caution important system-message alert notice citation",
    "theme-admonition md-typeset example",
)


def _remove_contents(content: tree.Element, tables: list[tree.Element]) -> None:
    total = len(content.text)
    for table in tables:
        if len(table.text) * 2 < total:
            table.extract()


def _unwrap_headers(content: tree.Element) -> None:
    """A header inside the content that holds the page's heading stays; any other goes."""
    for header in content.select("header"):
        if header.select_one("h1,h2,h3,h4,h5,h6") is None:
            header.extract()
