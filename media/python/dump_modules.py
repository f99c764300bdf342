#!/usr/bin/env python3
"""Print the module tree of a model as JSON, without weights, network or GPU.

The model is built on PyTorch's meta device from its config.json: with VeOmni's class where VeOmni is
importable and knows the model, else with the class of transformers. Code that comes with a checkpoint is
never run. The JSON on standard output has the members

  model_type, architecture, no_split_modules, containers, module_dicts,
  named_modules      [[name, class], ...] in the order of named_modules()
  aliases            [[other name, listed name], ...] of modules that are reachable twice
  none_attributes    attributes that exist and are None
  sized_attributes   [[name, length], ...] of attributes that are no modules but have a length
  container_lengths  [[name, length], ...] where that differs from the number of listed children
  config, built_by, versions, config_sha256

Attributes that begin with an underscore are left out. Progress goes to standard error as lines
"progress: ..."; a failure ends with one line "failed: CODE message" there and exit status 3.
"""

import argparse
import contextlib
import hashlib
import json
import os
import signal
import sys

MAX_CONFIG_BYTES = 16 * 1024 * 1024
MAX_ATTRIBUTES = 200_000


class DumpError(Exception):
    """A failure with a code that the caller translates."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def progress(text):
    print(f"progress: {text}", file=sys.stderr, flush=True)


def read_config(path):
    """The parsed config.json and its SHA-256; `path` is the file or the directory that holds it."""
    if os.path.isdir(path):
        path = os.path.join(path, "config.json")
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_CONFIG_BYTES + 1)
    except OSError as error:
        raise DumpError("DUMP_FAILED", f"{path} cannot be read: {error.strerror}") from error
    if len(data) > MAX_CONFIG_BYTES:
        raise DumpError("DUMP_FAILED", f"{path} is larger than 16 MiB")
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DumpError("DUMP_FAILED", f"{path} is not JSON: {error}") from error
    if not isinstance(parsed, dict):
        raise DumpError("DUMP_FAILED", f"{path} holds no JSON object")
    return parsed, hashlib.sha256(data).hexdigest()


def import_libraries():
    """torch and transformers; VeOmni's loader or None."""
    progress("importing torch and transformers")
    try:
        import torch
        import transformers
    except ImportError as error:
        raise DumpError("TRANSFORMERS_MISSING", f"{error}") from error
    try:
        import veomni.models  # noqa: F401 (fills the registries)
        from veomni.models import loader
    except Exception as error:  # noqa: BLE001 (any failure of an optional library means: go without)
        if not isinstance(error, ImportError):
            progress(f"VeOmni cannot be imported ({type(error).__name__}), going on without")
        loader = None
    return torch, transformers, loader


def config_object(transformers, raw):
    """The configuration object of the library for a parsed config.json."""
    model_type = raw.get("model_type")
    mapping = transformers.models.auto.configuration_auto.CONFIG_MAPPING
    if model_type not in mapping:
        code = " and needs code from the checkpoint, which is not run" if "auto_map" in raw else ""
        raise DumpError("DUMP_FAILED", f'model_type "{model_type}" is unknown to transformers {transformers.__version__}{code}')
    return mapping[model_type].from_dict(raw)


def veomni_class(loader, config, architecture):
    """VeOmni's class for the model, or None where it has none."""
    if loader is None or os.environ.get("MODELING_BACKEND") == "hf":
        return None
    registry = getattr(loader, "MODELING_REGISTRY", None)
    if registry is None or architecture is None or config.model_type not in registry.valid_keys():
        return None
    try:
        return registry[config.model_type](architecture)
    except Exception as error:  # noqa: BLE001
        progress(f"VeOmni has no class for {architecture} ({type(error).__name__}), taking transformers'")
        return None


def transformers_class(transformers, config, architecture):
    """The class that config.json names; without a name, the one with a language-model head."""
    if architecture is not None:
        found = getattr(transformers, architecture, None)
        if found is None:
            raise DumpError("DUMP_FAILED", f"{architecture} is unknown to transformers {transformers.__version__}")
        return found
    for auto in ("AutoModelForCausalLM", "AutoModelForImageTextToText", "AutoModel"):
        mapping = getattr(transformers, auto)._model_mapping
        if type(config) in mapping:
            found = mapping[type(config)]
            return found[0] if isinstance(found, (tuple, list)) else found
    raise DumpError("DUMP_FAILED", f"transformers has no model for {type(config).__name__}")


def build(torch, transformers, loader, raw, architecture):
    """The model on the meta device and the name of the library whose class it is."""
    config = config_object(transformers, raw)
    name = architecture or (raw.get("architectures") or [None])[0]
    own = veomni_class(loader, config, name)
    chosen = own or transformers_class(transformers, config, name)
    wanted = getattr(chosen, "config_class", None)
    text_config = getattr(config, "text_config", None)
    if wanted is not None and not isinstance(config, wanted) and isinstance(text_config, wanted):
        config = text_config  # a text class on the configuration of a vision-language model
    progress(f"building {chosen.__name__}")
    with torch.device("meta"):
        if hasattr(chosen, "_from_config"):
            model = chosen._from_config(config, attn_implementation="eager")
        else:
            model = chosen(config)
    return model, "veomni" if own is not None else "transformers"


def length_of(value):
    try:
        return len(value)
    except Exception:  # noqa: BLE001 (whatever len raises, the value has no length)
        return None


def describe_attributes(torch, model, names):
    """None and sized attributes by their dotted path, for as many as fit; deeper ones are named by the module's own path."""
    none_attributes = []
    sized_attributes = []

    def note(path, value):
        if len(none_attributes) + len(sized_attributes) >= MAX_ATTRIBUTES:
            return
        if value is None:
            none_attributes.append(path)
        elif not isinstance(value, torch.nn.Module):
            length = length_of(value)
            if length is not None:
                sized_attributes.append([path, length])

    for name, module in names:
        prefix = f"{name}." if name else ""
        values = {**vars(module), **module._parameters, **module._buffers, **module._modules}
        for key, value in values.items():
            if not key.startswith("_"):
                note(prefix + key, value)
    described = set(vars(model))
    for key in dir(type(model)):
        if not key.startswith("_") and key not in described:
            with contextlib.suppress(Exception):
                value = getattr(model, key)
                if not callable(value):
                    note(key, value)
    for key, value in vars(getattr(model, "config", object)).items():
        if not key.startswith("_"):
            note(f"config.{key}", value)
    return none_attributes, sized_attributes


def describe(torch, model):
    """The members that describe the tree."""
    names = list(model.named_modules())
    listed = {id(module): name for name, module in names}
    every = model.named_modules(remove_duplicate=False)
    aliases = [[name, listed[id(module)]] for name, module in every if listed[id(module)] != name]
    containers, module_dicts, lengths = [], [], []
    children = {}
    for name, _ in names:
        if name:
            parent = name.rpartition(".")[0]
            children[parent] = children.get(parent, 0) + 1
    for name, module in names:
        length = length_of(module)
        if length is None:
            continue
        is_dict = isinstance(module, (torch.nn.ModuleDict, torch.nn.ParameterDict))
        (module_dicts if is_dict else containers).append(name)
        if length != children.get(name, 0):
            lengths.append([name, length])
    none_attributes, sized_attributes = describe_attributes(torch, model, names)
    no_split = getattr(model, "_no_split_modules", None) or []
    return {
        "no_split_modules": sorted(no_split) if isinstance(no_split, (set, frozenset)) else list(no_split),
        "containers": containers,
        "module_dicts": module_dicts,
        "named_modules": [[name, type(module).__name__] for name, module in names],
        "aliases": aliases,
        "none_attributes": none_attributes,
        "sized_attributes": sized_attributes,
        "container_lengths": lengths,
    }


def version_of(name):
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def library_versions():
    """Versions without importing anything, so that a cache can be asked first."""
    found = {name: version_of(name) for name in ("torch", "transformers", "veomni")}
    return {"python": ".".join(map(str, sys.version_info[:3])), **{name: version for name, version in found.items() if version}}


def dump(arguments):
    raw, sha256 = read_config(arguments.config)
    torch, transformers, loader = import_libraries()
    transformers.logging.set_verbosity_error()
    model, built_by = build(torch, transformers, loader, raw, arguments.architecture)
    progress("listing modules")
    return {
        "model_type": raw.get("model_type"),
        "architecture": type(model).__name__,
        **describe(torch, model),
        "config": raw,
        "built_by": built_by,
        "versions": library_versions(),
        "config_sha256": sha256,
    }


def on_time_limit(*_):
    raise DumpError("DUMP_TIMED_OUT", "the time limit is over")


def parse_arguments(argv):
    parser = argparse.ArgumentParser(description="Print the module tree of a model as JSON.")
    parser.add_argument("--config", help="config.json or the directory that holds it")
    parser.add_argument("--architecture", help="class to build instead of the one that config.json names")
    parser.add_argument("--time-limit", type=int, default=0, help="seconds; 0 means none")
    parser.add_argument("--versions", action="store_true", help="print library versions only")
    arguments = parser.parse_args(argv)
    if not arguments.versions and arguments.config is None:
        parser.error("--config is required")
    return arguments


def main(argv):
    arguments = parse_arguments(argv)
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_DATASETS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
    if arguments.time_limit > 0 and hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, on_time_limit)
        signal.alarm(arguments.time_limit)
    # Libraries may print; only the result belongs on standard output.
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        result = library_versions() if arguments.versions else dump(arguments)
    except DumpError as error:
        print(f"failed: {error.code} {error}", file=sys.stderr)
        return 3
    except Exception as error:  # noqa: BLE001 (the caller shows one line, not a traceback)
        lines = str(error).strip().splitlines() or [""]
        print(f"failed: DUMP_FAILED {type(error).__name__}: {lines[-1]}", file=sys.stderr)
        return 3
    with output:
        json.dump(result, output, separators=(",", ":"))
        output.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
