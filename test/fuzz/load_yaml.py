"""Loads YAML texts as the frameworks do, and says what came out.

Reads one JSON object a line, {"text": ..., "reader": "pyyaml" | "omegaconf"}, and answers each with {"loads": bool, "value": ...} or
{"loads": false, "error": ...}. Values are tagged, so that types are compared too; keys are the texts as written.
"""

import json
import sys

import yaml
from omegaconf._utils import get_yaml_loader

LOADERS = {"pyyaml": yaml.SafeLoader, "omegaconf": get_yaml_loader()}
LARGEST_EXACT = 2**53


def keeping_key_texts(base):
    class Loader(base):
        def construct_mapping(self, node, deep=False):
            if isinstance(node, yaml.MappingNode):
                self.flatten_mapping(node)
            found = {}
            for key_node, value_node in node.value:
                if isinstance(key_node, yaml.ScalarNode):
                    found[key_node.value] = self.construct_object(value_node, deep=deep)
            return found

    return Loader


TEXT_LOADERS = {name: keeping_key_texts(loader) for name, loader in LOADERS.items()}


def tagged(value, depth=0):
    if depth > 100:
        raise RecursionError("a list or mapping holds itself")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return ["i", value if abs(value) <= LARGEST_EXACT else "large"]
    if isinstance(value, float):
        if value != value:
            return ["f", "nan"]
        return ["f", str(value) if value in (float("inf"), float("-inf")) else value]
    if isinstance(value, str):
        return ["s", value]
    if isinstance(value, list):
        return ["l", [tagged(item, depth + 1) for item in value]]
    if isinstance(value, dict):
        return ["m", {key: tagged(value[key], depth + 1) for key in sorted(value)}]
    return ["?"]


def answer(text, reader):
    try:
        yaml.load(text, Loader=LOADERS[reader])
    except RecursionError:
        return {"loads": True, "value": ["?"]}
    except Exception as error:  # Whatever it is: the framework does not come past it.
        return {"loads": False, "error": type(error).__name__ + ": " + " ".join(str(error).split())[:160]}
    try:
        return {"loads": True, "value": tagged(yaml.load(text, Loader=TEXT_LOADERS[reader]))}
    except Exception:
        return {"loads": True, "value": ["?"]}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(answer(request["text"], request["reader"])), flush=False)
