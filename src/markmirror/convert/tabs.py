"""Tabs, of which a page shows one at a time: all of them, each below its label in bold."""

from markmirror.convert import tree

# The lists of labels of Sphinx, Docusaurus, Docsy and Starlight, of MkDocs Material, of VitePress.
_LISTS = "[role=tablist],div.tabbed-labels,div.vp-code-group>div.tabs"
_LABELS = "[role=tab],label"


def prepare_tabs(content: tree.Element) -> None:
    """Put the label of each tab at the head of its panel, and take the list of labels away."""
    for listing in content.select(_LISTS):
        labels = [" ".join(label.text.split()) for label in listing.select(_LABELS)]
        panels = _panels(listing)
        if not labels or len(labels) != len(panels):
            continue
        for label, panel in zip(labels, panels, strict=True):
            strong = tree.element("strong", None, tree.Text(label))
            panel.insert(0, tree.element("p", None, strong))
        listing.extract()


def _panels(listing: tree.Element) -> list[tree.Element]:
    """The panels that follow the labels, or what is in the element that does."""
    node = tree.next_element(listing)
    if node is None and isinstance(listing.parent, tree.Element):
        # Starlight wraps the labels once more, so that they can scroll.
        node = tree.next_element(listing.parent)
        if node is not None and node.attr("role") != "tabpanel":
            return []
    if node is not None and node.attr("role") != "tabpanel":
        return [child for child in node.children if isinstance(child, tree.Element)]
    panels: list[tree.Element] = []
    while node is not None and node.attr("role") == "tabpanel":
        panels.append(node)
        node = tree.next_element(node)
    return panels
