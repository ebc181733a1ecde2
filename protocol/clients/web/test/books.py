"""Books for the screenshots: `python3 books.py [SECONDS]` writes them as JSON Lines, then keeps a reader waiting for so long."""

import json
import sys
import time

BOOKS = """
Moby-Dick; or, The Whale|Herman Melville|1851|en
Middlemarch|George Eliot|1871|en
Crime and Punishment|Fyodor Dostoevsky|1866|ru
The Count of Monte Cristo|Alexandre Dumas|1844|fr
Frankenstein; or, The Modern Prometheus|Mary Shelley|1818|en
Don Quixote|Miguel de Cervantes|1605|es
The Sorrows of Young Werther|Johann Wolfgang von Goethe|1774|de
Pride and Prejudice|Jane Austen|1813|en
The Tale of Genji|Murasaki Shikibu|1021|ja
Journey to the West|Wu Cheng'en|1592|zh
Wuthering Heights|Emily Brontë|1847|en
Les Misérables|Victor Hugo|1862|fr
The Divine Comedy|Dante Alighieri|1321|it
Anna Karenina|Leo Tolstoy|1878|ru
Walden|Henry David Thoreau|1854|en
The Book of Disquiet|Fernando Pessoa|1935|pt
Max Havelaar|Multatuli|1860|nl
A Doll's House|Henrik Ibsen|1879|no
""".strip().split("\n")

for number, line in enumerate(BOOKS):
    title, author, year, language = line.split("|")
    print(json.dumps({"id": number, "title": title, "author": author, "year": int(year), "language": language}), flush=True)
time.sleep(float(sys.argv[1]) if sys.argv[1:] else 0)
