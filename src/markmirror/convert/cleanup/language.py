"""Which language a page is written in, as far as typography needs to know."""

import re

# Small words that fill a third of any text and are rare in the other languages listed.
_SMALL_WORDS = {
    "en": "the and of to is that for with this are you be on it from as or an can not",
    "de": "der die und das ist nicht mit den ein eine für auf werden dem sich im auch als wird von",
    "fr": "le les des est et une dans pour pas sur vous que qui du avec sont au ce cette aux",
    "es": "el los las del y en que es por para con una se como está más su este puede son",
    "it": "il di che è per una con non del della sono dei gli nel alla anche questo come più si",
    "pt": "o os do da em que para com uma não por dos mais se na no você são ao pode",
    "nl": "de het een van en niet voor met dat zijn wordt op aan ook deze kan bij naar of je",
    "pl": "w i na nie się że do jest to z jak dla można oraz przez lub po od czy są",
    "sv": "och att det som en är för inte med av på den till ett kan om har vid eller från",
    "fi": "ja on ei se että tai kun ovat joka voi myös jos niin mutta kuin tämä sitä ole sen",
    "tr": "ve bir bu için ile olarak da de olan gibi daha çok ya veya ise her ne kadar sonra",
    "cs": "a se na je v že to s z do pro jako ale jsou by pokud nebo který po při",
}
_LANGUAGES_OF_WORD: dict[str, list[str]] = {}
for _language, _words in _SMALL_WORDS.items():
    for _word in _words.split():
        _LANGUAGES_OF_WORD.setdefault(_word, []).append(_language)

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
    return best if scores[best] >= _ENOUGH and scores[best] > scores["en"] else "en"
