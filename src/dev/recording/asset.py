"""Writes the recorded shapes, an entry a line, so that a difference can be read."""

import json

ABOUT = (
    "Written by src/dev/recording/learn.py from what transformers 5 builds; do not edit. "
    "The notation is explained in recordedFamilies.ts. Numbers in nodes, r and c count from 0."
)


def write_asset(path, nodes, conversions, families):
    """`nodes`, `conversions` and `families` in the notation of recordedFamilies.ts."""
    with open(path, "w") as file:
        file.write("{\n" + f'"about": {json.dumps(ABOUT)},\n')
        lists = [("nodes", nodes), ("conversions", conversions), ("families", families)]
        file.write(",\n".join(f'"{name}": [\n' + ",\n".join(map(line, rows)) + "\n]" for name, rows in lists))
        file.write("\n}\n")


def line(row):
    return json.dumps(row, separators=(",", ":"))
