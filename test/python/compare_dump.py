#!/usr/bin/env python3
"""Compare the dump script with recorded module trees, where transformers is installed.

  python3 test/python/compare_dump.py test/fixtures/modules [--only qwen3 llama ...] [--at-least 10]

Every recorded tree holds the configuration and the class that it was built from. The script builds the model
again and compares names, classes, order, containers and _no_split_modules. Needs no Node.
"""

import argparse
import gzip
import importlib.util
import json
import pathlib
import sys

MEMBERS = ("named_modules", "no_split_modules", "containers", "module_dicts")


def load_dump_script():
    path = pathlib.Path(__file__).resolve().parents[2] / "media" / "python" / "dump_modules.py"
    spec = importlib.util.spec_from_file_location("dump_modules", path)
    sys.dont_write_bytecode = True  # the folder is packaged as it is
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_tree(path):
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def differing_members(dumping, libraries, recorded):
    torch, transformers, loader = libraries
    model, _ = dumping.build(torch, transformers, loader, recorded["config"], recorded["architecture"])
    built = dumping.describe(torch, model)
    return [member for member in MEMBERS if built[member] != recorded.get(member, [])]


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", help="names of trees without extension")
    parser.add_argument("--at-least", type=int, default=10, help="how many must be equal")
    arguments = parser.parse_args(argv)
    dumping = load_dump_script()
    libraries = dumping.import_libraries()
    paths = sorted(p for p in arguments.folder.iterdir() if p.name.endswith((".json", ".json.gz")))
    equal = compared = 0
    for path in paths:
        name = path.name.split(".json")[0]
        if arguments.only and name not in arguments.only:
            continue
        compared += 1
        try:
            differing = differing_members(dumping, libraries, read_tree(path))
        except Exception as error:  # noqa: BLE001 (one family must not hide the others)
            print(f"{name}: {type(error).__name__}: {error}")
            continue
        equal += not differing
        print(f"{name}: {'equal' if not differing else 'differs in ' + ', '.join(differing)}")
    print(f"{equal} of {compared} equal")
    return 0 if equal == compared and equal >= arguments.at_least else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
