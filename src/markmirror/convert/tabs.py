"""Tabs, of which a page shows one at a time: all of them, each below its label in bold."""

from markmirror.convert import tree

# The lists of labels of Sphinx, Docusaurus, Docsy and Starlight, of MkDocs Material, of VitePress.
_LISTS = "[role=tablist],div.tabbed-labels,div.vp-code-group>div.tabs"
_LABELS = "[role=tab],label"
# Starlight wraps the labels once more, the API pages of Docusaurus twice.
_MOST_WRAPPERS = 2


def prepare_tabs(content: tree.Element) -> None:
    """Put the label of each tab at the head of its panel, and take the list of labels away."""
    for listing in content.select(_LISTS):
        labels = [tree.line_of(label) for label in listing.select(_LABELS)]
        panels = _panels(listing)
        if not labels or len(labels) != len(panels):
            continue
        for label, panel in zip(labels, panels, strict=True):
            strong = tree.element("strong", None, tree.Text(label))
            panel.insert(0, tree.element("p", None, strong))
        listing.extract()


def _panels(listing: tree.Element) -> list[tree.Element]:
    """The panels that follow the labels, or what is in the element that does."""
    node, is_wrapped = _following(listing)
    if node is not None and node.attr("role") != "tabpanel":
        inner = tree.child_elements(node)
        are_panels = not is_wrapped or all(child.attr("role") == "tabpanel" for child in inner)
        return inner if are_panels else []
    panels: list[tree.Element] = []
    while node is not None and node.attr("role") == "tabpanel":
        panels.append(node)
        node = tree.next_element(node)
    return panels


def _following(listing: tree.Element) -> tuple[tree.Element | None, bool]:
    """What follows the labels, and whether they are wrapped so that they can scroll."""
    around: tree.Node | None = listing
    for wrappers in range(_MOST_WRAPPERS + 1):
        if not isinstance(around, tree.Element):
            break
        node = tree.next_element(around)
        if node is not None:
            return node, wrappers > 0
        around = around.parent
    return None, True
