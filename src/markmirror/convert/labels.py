"""Lines that are a heading to a reader but not to HTML: rubrics, summaries, titles of cards."""

from markmirror.convert import tree
from markmirror.convert.survey import Survey
from markmirror.convert.vocabulary import words

_LABELS = words(
    "rubric topic-title sidebar-title caption sd-card-title sd-tab-label tab-label attr",
)
_CARD_LINK = "sd-stretched-link"
_TAGS = frozenset({"p", "div", "label"})
_MORE_THAN_A_LINE = "p,div,section,h1,h2,h3,h4,h5,h6,ul,ol,dl,table,pre,strong,b"


def may_be_label(classes: list[str]) -> bool:
    """Whether these classes are a label's on some elements."""
    return not _LABELS.isdisjoint(classes) or _CARD_LINK in classes


def prepare_labels(labels: list[tree.Element]) -> None:
    """Write each label in bold; the link that covers a card goes to the card's title."""
    for label in labels:
        if label.tag == "a":
            _move_to_title(label)
        elif label.tag in _TAGS and not _is_other(label):
            _embolden(label)


def prepare_details(survey: Survey) -> None:
    """What a reader would open: its summary in bold, then what it hides."""
    for details in survey.of("details"):
        for summary in tree.child_elements(details, "summary")[:1]:
            _embolden(summary)


def _is_other(label: tree.Element) -> bool:
    """Whether an element has the class of a label, but is something else."""
    if label.has_class("caption"):
        # Docutils gives one class to the captions of figures and of lists of pages.
        return label.attr("role") != "heading"
    # In a signature of pdoc, which name is documented is marked.
    return label.has_class("attr") and label.select_one("span.name") is None


def _embolden(label: tree.Element) -> None:
    if label.select_one(_MORE_THAN_A_LINE) is None and label.text.strip():
        label.wrap_children(tree.element("strong"))
        label.tag = "p"


def _move_to_title(link: tree.Element) -> None:
    card = link.closest(".sd-card")
    title = None if card is None else card.select_one(".sd-card-title")
    href = link.attr("href")
    if title is None or not href or not title.text.strip() or title.select_one("a") is not None:
        return
    title.wrap_children(tree.element("a", {"href": href}))
    link.extract()
