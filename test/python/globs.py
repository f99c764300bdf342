"""Prints globs with what Python's fnmatch says to some texts: one JSON list of [glob, texts that match, texts that do not].

Usage: python3 globs.py SEED COUNT
"""

import fnmatch
import json
import random
import sys

LETTERS = ["a", "b", "m", "y", "z", "0", "9", "-", "!", "^", "]", "[", "\\", "&", "~", "|", "é", "𝔸", "\n", "\u2028"]


def glob_of(chance: random.Random) -> str:
    pieces = []
    for _ in range(chance.randint(1, 4)):
        kind = chance.random()
        if kind < 0.6:
            negation = chance.choice(["", "", "!"])
            members = chance.choices([*LETTERS, *"---"], k=chance.choice([1, 2, 3, 4, 7, 12, 40]))
            pieces.append("[" + negation + "".join(members) + chance.choice(["]", "]", "]", ""]))
        elif kind < 0.8:
            pieces.append(chance.choice(["*", "?", "**", "*?"]))
        else:
            pieces.append(chance.choice(LETTERS))
    return "".join(pieces)


def main() -> None:
    chance = random.Random(int(sys.argv[1]))
    cases = []
    for _ in range(int(sys.argv[2])):
        glob = glob_of(chance)
        texts = LETTERS + ["".join(chance.choices(LETTERS, k=chance.randint(0, 5))) for _ in range(12)]
        answers = [fnmatch.fnmatchcase(text, glob) for text in texts]
        yes = [text for text, answer in zip(texts, answers) if answer]
        no = [text for text, answer in zip(texts, answers) if not answer]
        cases.append([glob, yes, no])
    print("[" + ",\n".join(json.dumps(case) for case in cases) + "]")


main()
