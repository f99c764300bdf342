"""Records the keys of verl's composed configuration: for each trainer the tree of the VeOmni engine, and what only other engines have.
Hydra composes it from the config folders of the given releases; nothing else of verl is imported.

usage: python verlTree.py OUT.json VERSION=DATE=CONFIG_DIRECTORY …      needs hydra-core; CONFIG_DIRECTORY is verl/trainer/config

A leaf is the type of its default (`null` for none and for a missing value); one that not every release has ends in `?`.
A reference that leads to a value is `filled`, one that leads to none `reference`.
An empty mapping in the YAML is `open`: keys are added there with +. `…OtherEngines` holds what no VeOmni tree has.
"""
import json, sys
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

TRAINERS = {
    "ppo": ("ppo_trainer", [["model_engine=veomni"]], [["model_engine=dp"], ["model_engine=megatron"], ["model_engine=torchtitan"]]),
    "sft": ("sft_trainer_engine", [["engine=veomni", "optim=veomni"]],
            [["engine=fsdp", "optim=fsdp"], ["engine=megatron", "optim=megatron"], ["engine=torchtitan", "optim=torchtitan"]]),
}


def kind(value):
    if value is None or value == "???":
        return "null"
    if isinstance(value, str) and value.startswith("${"):
        return "reference"
    return type(value).__name__


def flatten(config, tree, prefix=""):
    for key, value in tree.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict) and value:
            yield path, "map"
            yield from flatten(config, value, f"{path}.")
        elif kind(value) == "reference":
            yield path, "filled" if is_filled(config, path) else "reference"
        else:
            yield path, "open" if value == {} else kind(value)


def is_filled(config, path):
    try:
        return OmegaConf.select(config, path, throw_on_missing=False) is not None
    except Exception:
        return False


def composed(directory, config, overrides):
    with initialize_config_dir(directory, version_base=None):
        tree = compose(config, overrides=overrides)
        return dict(flatten(tree, OmegaConf.to_container(tree, resolve=False)))


def union(trees):
    merged = {}
    for path in dict.fromkeys(path for tree in trees for path in tree):
        kinds = [tree.get(path) for tree in trees]
        known = [each for each in kinds if each is not None]
        # Of several defaults the one about which least is known.
        best = next((each for each in ("map", "open", "null", "reference") if each in known), known[0])
        merged[path] = best if len(known) == len(trees) else f"{best}?"
    return merged


def nested(flat):
    root = {}
    for path, leaf in flat.items():
        *above, last = path.split(".")
        node = root
        for key in above:
            node = node.setdefault(key, {})
            if not isinstance(node, dict):
                break
        if isinstance(node, dict) and leaf.rstrip("?") != "map":
            node[last] = leaf
    return root


def main():
    out, *releases = sys.argv[1:]
    releases = [release.split("=", 2) for release in releases]
    result = {"releases": [{"version": version, "date": date} for version, date, _ in releases]}
    for name, (config, own, others) in TRAINERS.items():
        veomni = union([composed(directory, config, own[0]) for _, _, directory in releases])
        other = union([composed(directory, config, each) for _, _, directory in releases for each in others])
        result[name] = nested(veomni)
        result[f"{name}OtherEngines"] = nested({path: leaf.rstrip("?") for path, leaf in other.items() if path not in veomni})
    with open(out, "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


main()
