"""Records what VeOmni's own source says about keys and kernels, as JSON: which dotted keys its argument classes declare, which its
trainers and tasks add, and which kernels the code of each model family takes. Nothing is imported or run; the source is only parsed.

usage: python veomni.py TREE NAME DATE     TREE: an unpacked wheel or a checkout; NAME and DATE: what it is and of when
"""
import ast
import glob
import json
import os
import re
import sys

SELECTOR = {"moe_experts": "moe_implementation"}


def parsed(path):
    with open(path, encoding="utf-8") as file:
        return ast.parse(file.read())


class Arguments:
    """The dataclasses of some files; a later file may use and extend those of an earlier one."""

    def __init__(self, paths):
        self.classes = {}
        for path in paths:
            for node in parsed(path).body:
                if isinstance(node, ast.ClassDef):
                    self.classes[node.name] = node

    def fields(self, name):
        node = self.classes.get(name)
        if node is None:
            return {}
        found = {}
        for base in node.bases:
            if isinstance(base, ast.Name):
                found.update(self.fields(base.id))
        for each in node.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and not each.target.id.startswith("_"):
                note = ast.unparse(each.annotation).strip("'\"")
                if not note.startswith("ClassVar"):
                    found[each.target.id] = note
        return found

    def keys(self, name, prefix="", depth=0):
        """Dotted key to annotation, blocks included."""
        found = {}
        for key, note in self.fields(name).items():
            found[prefix + key] = "map" if note in self.classes else note
            if note in self.classes and depth < 8:
                found.update(self.keys(note, f"{prefix}{key}.", depth + 1))
        return found


def root_of(path):
    """The class that a task hands to `parse_args`."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "parse_args" and node.args:
            return getattr(node.args[0], "id", None)
    return None


def added(keys, common):
    return {key: note for key, note in sorted(keys.items()) if key not in common}


def keys_of(tree):
    base = glob.glob(f"{tree}/veomni/arguments/arguments_types.py") or glob.glob(f"{tree}/veomni/utils/arguments.py")
    trainers = sorted(glob.glob(f"{tree}/veomni/trainer/*_trainer.py"))
    common = Arguments(base).keys("VeOmniArguments")
    known = Arguments(base + trainers)
    by_trainer = {
        os.path.basename(path)[:-3]: added(known.keys(node.name), common)
        for path in trainers
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and re.fullmatch(r"VeOmni\w+Arguments", node.name)
    }
    tasks = {}
    for path in sorted(glob.glob(f"{tree}/tasks/**/*train*.py", recursive=True)):
        name = root_of(path)
        if name is not None:
            tasks[os.path.relpath(path, tree)] = added(Arguments(base + trainers + [path]).keys(name), common)
    return {"keys": dict(sorted(common.items())), "trainers": by_trainer, "tasks": tasks}


def constant(node, names):
    if isinstance(node, ast.Constant):
        return node.value
    return names.get(node.id) if isinstance(node, ast.Name) else None


def kernel_specs(tree):
    """(op, variant) to the names that are registered for it."""
    found = {}

    def visit(node, names):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Tuple) and isinstance(node.iter, ast.Tuple):
            for row in node.iter.elts:
                inner = {target.id: constant(value, names) for target, value in zip(node.target.elts, row.elts)}
                for child in node.body:
                    visit(child, {**names, **inner})
            return
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "KernelSpec":
            spec = {each.arg: constant(each.value, names) for each in node.keywords}
            found.setdefault((spec["op_name"], spec["variant"]), set()).add(spec["name"])
        for child in ast.iter_child_nodes(node):
            visit(child, names)

    for path in sorted(glob.glob(f"{tree}/veomni/ops/**/*.py", recursive=True)):
        visit(parsed(path), {})
    return found


def device_patch(path):
    """Backends that a model adds to an op, or takes away, by op."""
    found = {}
    for node in ast.walk(parsed(path)):
        if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "apply_per_model_patches"):
            continue
        extra = next((each.value for each in node.keywords if each.arg == "extra_backends"), None)
        for op, backends in zip(getattr(extra, "keys", []), getattr(extra, "values", [])):
            found[op.value] = {
                name.value: not (isinstance(backend, ast.Constant) and backend.value is None)
                for name, backend in zip(backends.keys, backends.values)
            }
    return found


def flag(text, name):
    values = set(re.findall(rf"^    _supports_{name} = (True|False)", text, re.M))
    return None if not values else values == {"True"}


def families_of(tree):
    specs = kernel_specs(tree)
    found = {}
    for folder in sorted(glob.glob(f"{tree}/veomni/models/transformers/*/")):
        paths = glob.glob(f"{folder}generated/*_gpu.py")
        if not paths:
            continue
        with open(paths[0], encoding="utf-8") as file:
            text = file.read()
        kernels = {}
        for op, variant in re.findall(r'OpSlot\("(\w+)", "(\w+)"\)', text):
            prefix = "fused_" if op == "moe_experts" else ""
            names = {prefix + name for name in specs.get((op, variant), set())} | {"eager"}
            key = SELECTOR.get(op, f"{op}_implementation")
            kernels[key] = names if key not in kernels else kernels[key] & names
        for key, name in re.findall(r"(dsa_\w+_implementation)=\{[^{}]{1,60}\}; expected 'eager' or '(\w+)'", text):
            kernels[key] = {"eager", name}
        patch = f"{folder}device_patch.py"
        for op, backends in device_patch(patch).items() if os.path.exists(patch) else ():
            own = specs.get((op, "full"), set()) | {"liger_kernel", "npu", "eager"}
            names = {name for name in own | set(backends) if backends.get(name, True)}
            kernels[f"{op}_implementation"] = names
        flash = re.search(r"_compatible_flash_implementations = (\[.*?\])", text, re.S)
        found[os.path.basename(folder.rstrip("/"))] = {
            "attention": {name: flag(text, name) for name in ("flash_attn", "sdpa", "flex_attn")},
            "flash": ast.literal_eval(flash.group(1)) if flash else None,
            "kernels": {key: sorted(names) for key, names in sorted(kernels.items())},
        }
    return found


def main():
    tree, name, date = sys.argv[1:4]
    record = {"source": name, "date": date, **keys_of(tree), "families": families_of(tree)}
    json.dump(record, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
