"""Which language a page is written in, as far as typography needs to know."""

import re

# Small words that fill a third of any text, each in the one language it speaks for. Of languages
# with as many, the first is taken: English before all, those with quotes of their own after all.
_SMALL_WORDS = {
    "en": "the and that for with this are you be it from or can not at",
    "es": "el los las más puede",
    "it": "di che è della sono dei gli nel alla anche questo più",
    "pt": "em uma não dos você são ao pode",
    "nl": "het een niet voor dat zijn wordt op aan ook deze bij naar",
    "pl": "nie się że jest dla można oraz przez lub czy są",
    "sv": "och att det som är för inte med av på ett har vid eller från",
    "fi": "ja ei että tai kun ovat joka voi myös jos niin mutta kuin tämä sitä ole sen",
    "tr": "ve bir bu için ile olarak olan gibi daha çok veya ise kadar sonra",
    "cs": "že jako jsou pokud nebo který při není být také",
    "hu": "az és hogy nem egy ez csak vagy",
    "de": "der und das ist nicht mit ein eine für auf werden dem sich im auch wird von zu",
    "fr": "les est et une dans pour pas vous avec sont au cette aux par sur ce",
}
# Small words of several languages, none of which may gain on the others by them. English has
# letters too: y and z are names, and v2 and it's are read as a v and an s with something else.
_SHARED_WORDS = {
    "a": "en fr es it pt pl cs hu",
    "ale": "pl cs",
    "als": "de nl",
    "an": "en de",
    "as": "en pt",
    "by": "en pl cs",
    "com": "en pt",
    "come": "en it",
    "como": "es pt",
    "con": "es it",
    "da": "it pt tr",
    "de": "fr es pt nl sv tr hu",
    "del": "es it",
    "den": "de sv",
    "des": "de fr",
    "die": "de nl",
    "do": "en pt pl cs",
    "du": "de fr sv",
    "en": "fr es nl sv",
    "es": "de es",
    "este": "es pt",
    "está": "es pt",
    "her": "en tr",
    "i": "en it pl sv cs",
    "il": "fr it",
    "in": "en de it nl",
    "is": "en nl hu",
    "jak": "pl cs",
    "je": "fr nl cs",
    "kan": "nl sv",
    "le": "fr it",
    "mais": "fr pt",
    "met": "en nl",
    "na": "pt pl cs",
    "ne": "fr tr cs hu",
    "no": "en es pt",
    "non": "en fr it",
    "o": "es it pt pl cs",
    "od": "pl cs",
    "of": "en nl",
    "om": "nl sv",
    "on": "en fr fi",
    "os": "en pt",
    "ou": "fr pt",
    "para": "es pt",
    "per": "en it nl",
    "po": "pl cs",
    "por": "es pt",
    "pro": "en cs",
    "que": "fr es pt",
    "qui": "fr it",
    "s": "en cs",
    "se": "fr es it pt fi cs",
    "si": "fr es it cs",
    "son": "en fr es",
    "su": "es it",
    "till": "en sv",
    "to": "en pl cs",
    "una": "es it",
    "v": "en cs",
    "van": "en nl hu",
    "w": "en pl",
    "y": "en fr es",
    "ya": "es tr",
    "z": "en pl cs",
}
_LANGUAGES_OF_WORD = {
    **{word: [language] for language, words in _SMALL_WORDS.items() for word in words.split()},
    **{word: languages.split() for word, languages in _SHARED_WORDS.items()},
}

_WORD = re.compile(r"[^\W\d_]+")
_LETTER_OF_OTHER_SCRIPT = re.compile(
    "[\u0370-\u1cff\u2c00-\u2dff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
)
_SAMPLE_CHARACTERS = 4_000
_ENOUGH = 3


def page_language(declared: str, sample: str) -> str:
    """The primary language of a page: what was declared, else what its small words say.

    A page that says too little counts as English; one in another script as `und`.
    """
    if declared:
        return declared.partition("-")[0].partition("_")[0].lower()
    sample = sample[:_SAMPLE_CHARACTERS]
    if not sample.isascii() and 5 * len(_LETTER_OF_OTHER_SCRIPT.findall(sample)) > len(sample):
        return "und"
    scores = dict.fromkeys(_SMALL_WORDS, 0)
    for word in _WORD.findall(sample.lower()):
        for language in _LANGUAGES_OF_WORD.get(word, ()):
            scores[language] += 1
    best = max(scores, key=lambda language: scores[language])
    return best if scores[best] >= _ENOUGH else "en"
