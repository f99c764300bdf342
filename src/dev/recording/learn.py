"""Learns the shapes of recorded families: which modules each class builds, in order, and which keys of config.json decide.

usage, in src/core/modules/families: python3 ../../../dev/recording/learn.py RECORDS.json.gz activations.ts recordedShapes.json

RECORDS is what record.py wrote (or several of them, joined)
"""
import collections, gzip, json, re, sys

from asset import write_asset
from lengths import share_lengths

records = json.load(gzip.open(sys.argv[1]))
activations = dict(re.findall(r'\["(\w+)", "(\w+)"\]', open(sys.argv[2]).read().split("]);")[0]))
activation_classes = set(activations.values())
suffix = re.compile(r"(ForCausalLM|LMHeadModel|For[A-Z]\w*|WithLMHead\w*|Decoder|Model)$")
nodes, node_ids = [], {}


def intern(node):
    key = json.dumps(node)
    if key not in node_ids:
        node_ids[key] = len(nodes)
        nodes.append(node)
    return node_ids[key]


class Node:
    __slots__ = ("type", "kind", "own", "kids")

    def __init__(self, type, kind, own):
        self.type, self.kind, self.own, self.kids = type, kind, own, {}


def tree(rows, tied):
    byname = {}
    for name, type, kind, own in rows:
        node = Node(type, kind, 0 if name in tied else own)
        byname[name] = node
        if name:
            parent, _, last = name.rpartition(".")
            byname[parent].kids[last] = node
    return byname[""]


def get(config, path):
    for key in path.split("."):
        if not isinstance(config, dict):
            return None
        config = config.get(key)
    return config


def put(config, path, value):
    keys = path.split(".")
    for key in keys[:-1]:
        config = config[key]
    config[keys[-1]] = value


def show(value):
    return json.dumps(value) if not isinstance(value, (list, dict)) else "[" if isinstance(value, list) else "{"


def features(keys, deep, example):
    """Deciders, simple ones first: [name, ...arguments]."""
    out = []
    for k in keys:
        v = [get(c, k) for c in example]
        if any(isinstance(x, list) for x in v):
            out += [["at", k, d] for d in range(-1, -deep - 1, -1)]
            out += [["cyc", k, d] for d in range(-1, -deep - 1, -1)]
            out += [["in", k, d] for d in range(-1, -deep - 1, -1)]
            out += [["any", k]]
        elif any(isinstance(x, str) for x in v) and any(isinstance(x, str) and len(x) > 3 and set(x) <= set("MSE*-FLAD") for x in v):
            out += [["at", k, d] for d in range(-1, -deep - 1, -1)]
    for k in keys:
        v = [get(c, k) for c in example]
        if any(isinstance(x, (bool, str)) or x is None for x in v):
            out.append(["is", k])
        if not any(isinstance(x, (list, str)) for x in v):
            out.append(["any", k])
    for k in keys:
        v = [get(c, k) for c in example]
        if all(isinstance(x, int) and not isinstance(x, bool) or x is None for x in v):
            for d in range(-1, -deep - 1, -1):
                out += [["<", k, d, 0], ["<", k, d, 1], ["%", k, d, 0], ["%", k, d, 1], ["%", k, d, -1]]
            out.append([">1", k])
    for k in keys:
        for k2 in keys:
            if k != k2 and all(isinstance(get(c, k), int) and isinstance(get(c, k2), int) for c in example):
                if deep == 0: out.append(["==", k, k2]); continue
                out += [["%-", k, k2, -1]]
                out += [["<-", k, k2, -1]]
                out += [["==", k, k2]]
    for d in range(-1, -deep - 1, -1):
        out += [["first", d], ["last", d], ["parity", d]]
    for d in range(-1, -deep - 1, -1):
        out += [["index", d]]
    return out


def decide(f, config, idx, lens):
    kind = f[0]
    if kind in ("first", "last", "parity", "index"):
        i = idx[f[1]]
        return {"first": i == 0, "last": i == lens[f[1]] - 1, "parity": i % 2, "index": i}[kind]
    v = get(config, f[1])
    if kind == "is":
        return show(v)
    if kind == "any":
        return bool(v) and v != 0
    if kind == ">1":
        return isinstance(v, int) and v > 1
    if kind == "==":
        return v == get(config, f[2])
    if kind in ("%-", "<-"):
        i, w = idx[f[3]], get(config, f[2])
        if not isinstance(v, int) or not isinstance(w, int):
            return None
        return (i - w) % v == 0 if kind == "%-" and v > 0 else i < v - w if kind == "<-" else None
    i = idx[f[2]]
    if kind == "at":
        return show(v[i]) if isinstance(v, (list, str)) and i < len(v) else None
    if kind == "cyc":
        return show(v[i % len(v)]) if isinstance(v, list) and v else None
    if kind == "in":
        return i in v if isinstance(v, list) else None
    if not isinstance(v, int) or isinstance(v, bool):
        return None
    if kind == "<":
        return i + f[3] < v
    if kind == "%":
        return (i + f[3]) % v == 0 if v > 0 else None


def table(values, targets):
    found = {}
    for value, target in zip(values, targets):
        if found.setdefault(json.dumps(value), target) != target:
            return None
    return found


def learn(ctx, obs, targets):
    """The rule that tells the targets apart: [] if there is one target only, None if none is found."""
    if len(set(targets)) == 1:
        return []
    seen, o2, t2 = set(), [], []
    for o, t in zip(obs, targets):
        key = (o[0], tuple(o[1]), tuple(o[2]), t)
        if key not in seen:
            seen.add(key); o2.append(o); t2.append(t)
    obs, targets = o2, t2
    example = [ctx["configs"][c] for c in sorted({o[0] for o in obs})]
    deep = len(obs[0][1])
    candidates = features(ctx["keys"], deep, example)
    evaluated = []
    for f in candidates:
        values = [decide(f, ctx["configs"][o[0]], o[1], o[2]) for o in obs]
        if len({json.dumps(v) for v in values}) < 2:
            continue
        found = table(values, targets)
        if found is not None and f[0] != "index":
            return [[f], found]
        if found is not None and len({tuple(o[2]) for o in obs}) == 1:
            return [[f], found]
        if f[0] != "index":
            evaluated.append((f, values))
    for a in range(min(len(evaluated), 90)):
        for b in range(a + 1, min(len(evaluated), 90)):
            found = table([(x, y) for x, y in zip(evaluated[a][1], evaluated[b][1])], targets)
            if found is not None and len(found) <= 6:
                return [[evaluated[a][0], evaluated[b][0]], {json.dumps(json.loads(k)): v for k, v in found.items()}]
    for a in range(min(len(evaluated), 45)):
        for b in range(a + 1, min(len(evaluated), 45)):
            for c in range(b + 1, min(len(evaluated), 45)):
                three = [evaluated[x] for x in (a, b, c)]
                if len({f[1] if isinstance(f[1], str) else f[0] for f, _ in three}) < 3: continue
                found = table(list(zip(*(v for _, v in three))), targets)
                if found is not None and len(found) <= 8:
                    return [[f for f, _ in three], found]
    return None


def num(v):
    if isinstance(v, bool) or v is None:
        return None
    return v if isinstance(v, int) else len(v) if isinstance(v, (list, str)) else None


def learn_length(ctx, obs, lengths):
    """["k", path, plus] | ["//", a, b] | ["+", a, b] | ["-", a, b] | number | None."""
    configs = ctx["configs"]
    if len(set(lengths)) == 1:
        return lengths[0]
    keys = ctx["keys"]
    for plus in (0, 1, -1, 2):
        for k in keys:
            if all(num(get(configs[o[0]], k)) is not None and max(0, num(get(configs[o[0]], k)) + plus) == l for o, l in zip(obs, lengths)):
                return ["k", k, plus]
    for k in keys:
        for k2 in keys:
            if k == k2: continue
            v = [(num(get(configs[o[0]], k)), num(get(configs[o[0]], k2))) for o in obs]
            if any(a is None or b is None for a, b in v): continue
            for op, fn in (("-", lambda a, b: a - b), ("//", lambda a, b: a // b if b else -1), ("+", lambda a, b: a + b), ("u//", lambda a, b: -(-a // b) if b else -1)):
                if all(max(0, fn(a, b)) == l for (a, b), l in zip(v, lengths)):
                    return [op, k, k2]
    for k in keys:
        vals = {json.dumps(x) for o in obs for x in (get(configs[o[0]], k) or []) } if all(isinstance(get(configs[o[0]], k), list) for o in obs) else set()
        for x in vals:
            if all(get(configs[o[0]], k).count(json.loads(x)) == l for o, l in zip(obs, lengths)):
                return ["count", k, json.loads(x)]
    return None


def at_prefix(ctx, type):
    p = ctx["prefix"]
    return "@" + type[len(p):] if p and type.startswith(p) else type


def numeric(node):
    return all(k == str(i) for i, k in enumerate(node.kids))


def analyze(ctx, inst):
    """inst: [(case, indices, lengths, node)] of one place in the tree; returns the id of its node."""
    obs = [(c, i, l) for c, i, l, _ in inst]
    lists = all(n.kind == 1 and n.type in ("ModuleList", "Sequential") and numeric(n) for *_, n in inst)
    if lists and any(n.kids for *_, n in inst):
        lengths = [len(n.kids) for *_, n in inst]
        kinds = {n2.type for *_, n in inst for n2 in n.kids.values()}
        types = {n.type for *_, n in inst}
        varies = len(set(lengths)) > 1
        if len(types) == 1 and (varies or (types == {"ModuleList"} and len(kinds) == 1)):
            rule = learn_length(ctx, obs, lengths)
            if rule is None: rule = learn_length(dict(ctx, keys=ctx["keys"] + ctx["more"]), obs, lengths)
            base = next((len(n.kids) for c, _, _, n in inst if c == ctx["base"]), lengths[0])
            if rule is None: ctx["unsure"].append("length")
            elem = analyze(ctx, [(c, i + [at], l + [len(n.kids)], k) for c, i, l, n in inst for at, k in enumerate(n.kids.values())])
            return intern(["L", inst[0][3].type, rule, base, elem])
    leaf = all(not n.kids for *_, n in inst)
    acts = {n.type for *_, n in inst}
    if leaf and len(acts) > 1 and acts & activation_classes:
        for k in ctx["keys"]:
            if all(activations.get(get(ctx["configs"][c], k)) == n.type for c, _, _, n in inst if isinstance(get(ctx["configs"][c], k), str)) and all(isinstance(get(ctx["configs"][c], k), str) for c, *_ in inst):
                return intern(["A", k])
    groups = collections.OrderedDict()
    order = sorted(range(len(inst)), key=lambda at: inst[at][0] != ctx["base"])
    for at in order:
        n = inst[at][3]
        key = (n.type, n.kind, n.own, tuple(n.kids))
        groups.setdefault(key, []).append(at)
    forms = []
    for key, members in groups.items():
        kids = []
        for name in key[3]:
            kids += [name, analyze(ctx, [(inst[at][0], inst[at][1], inst[at][2], inst[at][3].kids[name]) for at in members])]
        forms.append([at_prefix(ctx, key[0]), key[1], key[2], kids])
    index = {key: at for at, key in enumerate(groups)}
    targets = [index[(n.type, n.kind, n.own, tuple(n.kids))] for *_, n in inst]
    rule = learn(ctx, obs, targets)
    if rule is None: rule = learn(dict(ctx, keys=ctx["keys"] + ctx["more"]), obs, targets)
    if rule is None: ctx["unsure"].append("form")
    if rule == []:
        return intern(["F", *forms[0]])
    return intern(["O", rule, [intern(["F", *f]) for f in forms]])


def model(rec):
    cases = [c for c in rec["cases"] if "rows" in c]
    prefix = suffix.sub("", rec["arch"])
    tied = {t.rpartition(".")[0] for t in rec.get("tied", [])}
    base_at = next(i for i, c in enumerate(cases) if c["vary"] == "base")
    base_config = cases[base_at]["config"]
    configs, roots = [], []
    for c in cases:
        config = c["config"]
        if config is None:
            config = json.loads(json.dumps(base_config))
            put(config, c["vary"], c["value"])
            for k, v in (c.get("ext") or {}).items():
                put(config, ".".join(c["vary"].split(".")[:-1] + [k]), v)
        configs.append(config)
        roots.append(tree(c["rows"], tied))
    keys, ext = [], []
    for c in rec["cases"]:
        if c["vary"] not in ("base", "default") and c["vary"] not in keys: keys.append(c["vary"])
    # lists with one entry a layer come before the figures from which they are computed
    keys.sort(key=lambda k: (not isinstance(get(base_config, k), list), k.count(".")))
    more = []
    def further(c, path):
        for k, v in c.items():
            if isinstance(v, dict): further(v, path + k + ".")
            elif path + k not in keys and re.search("layer|type|period|interval|freq|block|pattern|offset|depth|mult|ratio|levels|embedding_size|^hidden_size", k) and not k.startswith("_") and (isinstance(v, list) or isinstance(v, int) and not isinstance(v, bool)) and not isinstance(v, str):
                more.append(path + k)
    further(base_config, "")
    more.sort(key=lambda k: (not isinstance(get(base_config, k), list), k.count(".")))
    ctx = dict(more=more[:24], configs=configs, keys=keys, base=base_at, prefix=prefix, unsure=[])
    root = analyze(ctx, [(at, [], [], node) for at, node in enumerate(roots)])
    default = next((c["config"] for c in cases if c["vary"] == "default"), base_config)
    used = set()
    def scan(id, seen):
        if id in seen: return
        seen.add(id)
        n = nodes[id]
        if n[0] == "L":
            if isinstance(n[2], list): used.update(x for x in n[2][1:3] if isinstance(x, str))
            scan(n[4], seen)
        elif n[0] == "A": used.add(n[1])
        elif n[0] == "F":
            for kid in n[4][1::2]: scan(kid, seen)
        else:
            for f in (n[1] or [[]])[0]: used.update(x for x in f[1:] if isinstance(x, str))
            for kid in n[2]: scan(kid, seen)
    scan(root, set())
    defaults = {k: get(default, k) for k in sorted(used)}
    for k, v in defaults.items():
        if isinstance(v, list) and len(v) > 12: defaults[k] = None
    conv = [dict(k={"WeightRenaming": "R", "PrefixChange": "R", "GroupWeightRename": "G"}.get(t["kind"], "C"), s=t["psrc"], d=t["pdst"], **({} if t["scope"] is None else {"p": t["scope"], "b": t["base"] or ""})) for t in rec.get("conv", [])]
    out = dict(t=rec["mt"], a=rec["arch"], p=prefix, b=rec["base_model_prefix"] or "", n=[at_prefix(ctx, x) for x in rec["no_split"]], r=root, d=defaults)
    parts = {}
    def submodels(c, path):
        for k, v in c.items():
            if isinstance(v, dict) and isinstance(v.get("model_type"), str) and v["model_type"]:
                parts[path + k] = v["model_type"]
                submodels(v, path + k + ".")
    submodels(default, "")
    if parts: out["m"] = parts
    if conv: out["c"] = conv
    if ctx["unsure"]: unsure.append(rec["arch"])
    return out


families, seen, unsure = [], set(), []
for rec in sorted(records, key=lambda r: (r.get("mt", r["key"]) if r.get("key") else "", r.get("arch") or "")):
    if "base_model_prefix" not in rec or (rec["mt"], rec["arch"]) in seen: continue
    seen.add((rec["mt"], rec["arch"]))
    try: families.append(model(rec))
    except Exception as e: print("failed", rec["arch"], repr(e)); raise
print(len(families), "families", len(nodes), "nodes; in doubt:", unsure)
# rows of conversions repeat between families
convs, ids = [], {}
for f in families:
    for at, c in enumerate(f.get("c", [])):
        key = json.dumps(c)
        if key not in ids: ids[key] = len(convs); convs.append(c)
        f["c"][at] = ids[key]
print(share_lengths(nodes, intern), "lists take the rule of another form")
write_asset(sys.argv[3], nodes, convs, families)
