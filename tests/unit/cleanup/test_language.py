"""Which language a page is in, told by few words."""

import pytest

from markmirror.convert.cleanup.language import page_language

SENTENCES = [
    ("en", 'Choosing a name. Pick a colour, add a label and write a note: "draft".'),
    ("en", "Move or rename a file, a directory, or a symlink."),
    ("en", "Cannot do a partial commit during a merge."),
    ("en", "Modified by you, by a script, by no one."),
    ("en", "I think I know. I do."),
    ("en", "It's Bob's, it's Ann's, it's everybody's."),
    ("en", "Released v1, v2, v3 in May."),
    ("en", "Plot y over x, z over y, y over z."),
    ("en", "One vote per user, per page, per day."),
    ("en", "A non-empty list, a non-zero size, a non-final class."),
    ("en", "Supported: OS 9, OS X, no other OS."),
    ("en", "Till they come, wait in her van; come in, come on."),
    ("de", "Öffnen Sie die Datei in der Konsole und speichern Sie sie."),
    ("de", "Es ist eine Liste des Archivs, die du an das Team schickst."),
    ("fr", "Ouvrez la liste de fichiers de configuration de votre projet dans une fenêtre."),
    ("fr", "Il y a une page en ligne, mais on ne la trouve pas."),
    ("es", "Haga clic en el botón de la página para guardar los cambios."),
    ("es", "No se puede abrir el archivo de la lista."),
    ("it", "Fare clic su Salva per salvare il file in una cartella."),
    ("it", "Non si trova in nessuno dei file della lista."),
    ("pt", "Clique com o botão direito e selecione os arquivos do projeto."),
    ("pt", "O nome não pode ficar em branco, mas é possível mudar."),
    ("nl", "Het bestand is in de map van de gebruiker te vinden."),
    ("nl", "Klik op de knop om een pagina aan de lijst toe te voegen."),
    ("pl", "Nie można otworzyć pliku, ponieważ nie jest w katalogu."),
    ("sv", "Klicka på knappen för att spara ändringarna i en fil."),
    ("fi", "Tiedosto on tallennettu, mutta se ei ole luettelossa."),
    ("tr", "Bu dosya bir liste için ve daha sonra kullanılır."),
    ("cs", "Soubor není v seznamu, pokud se nachází na jiném disku."),
    ("hu", "A fájl nem található, és a mappa is üres."),
]


@pytest.mark.parametrize(("language", "sentence"), SENTENCES)
def test_a_sentence_tells_its_language(language: str, sentence: str) -> None:
    """FR-022."""
    assert page_language("", sentence) == language


def test_words_of_several_languages_leave_the_quotes_as_they_are() -> None:
    """FR-022."""
    assert page_language("", "Lista de nomes de ficheiros de texto") not in ("en", "de", "fr")


def test_a_page_of_few_words_is_english() -> None:
    assert page_language("", "Index der Seiten") == "en"


@pytest.mark.parametrize(("declared", "language"), [("de-CH", "de"), ("pt_BR", "pt"), ("EN", "en")])
def test_a_declared_language_is_believed(declared: str, language: str) -> None:
    assert page_language(declared, "the page of the user") == language
