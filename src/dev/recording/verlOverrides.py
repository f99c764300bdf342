"""Records what Hydra says to single overrides of verl's trainers with the VeOmni engine, for the test of what we say to them.
The tree is composed once for each trainer and release; each override is then parsed and applied to a copy of it by Hydra's own code.

usage: python verlOverrides.py TREE.json OUT.json CONFIG_DIRECTORY …      needs hydra-core; TREE.json is what verlTree.py wrote

Each row is [trainer, override, how many of the given releases accept it].
"""
import copy, json, random, sys
from hydra import compose, initialize_config_dir
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra.core.override_parser.overrides_parser import OverridesParser

CALLS = {"ppo": ("ppo_trainer", ["model_engine=veomni"]), "sft": ("sft_trainer_engine", ["engine=veomni", "optim=veomni"])}
VALUES = {"int": "1", "float": "0.5", "bool": "True", "str": "x", "list": "[a]", "null": "1", "reference": "1", "open": "{a: 1}", "map": "{}"}
OWN, OTHER = 60, 40
random.seed(5)


def nodes(tree, prefix=""):
    for key, value in tree.items():
        if isinstance(value, dict):
            yield f"{prefix}{key}", "map"
            yield from nodes(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value.rstrip("?")


def misspelt(path):
    at = len(path) - 2
    return path[:at] + path[at + 1] + path[at] + path[at + 2 :]


def overrides(own, other):
    """Every operator on a sample of what the tree holds, of what it lacks, and of what lies below either."""
    for path, kind in random.sample(own, OWN):
        value = VALUES[kind]
        yield from (f"{path}={value}", f"+{path}={value}", f"++{path}={value}", f"~{path}", f"{path}.nope=1", f"+{path}.nope=1")
        yield from (f"{path}={{nope: 1}}", f"{misspelt(path)}={value}")
    for path, kind in random.sample(other, OTHER):
        value = VALUES[kind]
        yield from (f"{path}={value}", f"+{path}={value}", f"++{path}={value}", f"~{path}")
    for path, kind in own:
        if kind == "open":
            yield from (f"{path}.a=1", f"+{path}.a=1", f"++{path}.a.b=1", f"{path}={{a: 1}}")


def composed(directory, trainer):
    config, engine = CALLS[trainer]
    with initialize_config_dir(directory, version_base=None):
        return compose(config, overrides=engine)


def accepts(tree, parser, override):
    try:
        parsed = parser.parse_overrides([override])
        ConfigLoaderImpl._apply_overrides_to_config(parsed, copy.deepcopy(tree))
        return True
    except Exception:
        return False


def main():
    tree, out, *directories = sys.argv[1:]
    with open(tree) as file:
        recorded = json.load(file)
    parser = OverridesParser.create()
    rows = []
    for trainer in CALLS:
        trees = [composed(directory, trainer) for directory in directories]
        own, other = (list(nodes(recorded[name])) for name in (trainer, f"{trainer}OtherEngines"))
        for override in dict.fromkeys(overrides(own, other)):
            rows.append([trainer, override, sum(accepts(each, parser, override) for each in trees)])
    with open(out, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


main()
