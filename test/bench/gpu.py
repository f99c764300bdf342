#!/usr/bin/env python3
"""Measures the CUDA engine on a GPU against the recorded runs of PyTorch, and prints Markdown.

    python3 test/bench/gpu.py ENGINE [--out FOLDER] [--only NAME...]

ENGINE is the built offload-lens-engine. Needs Python alone, since machines with a GPU need have no Node. The recorded runs are
those of test/fixtures/reference-runs.json (an H200); on another GPU compare bytes and counters only. With --out, the JSON of
every run is kept there, and one profile file for the editor.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = json.loads((ROOT / "test" / "fixtures" / "reference-runs.json").read_text())
# (name, shape, strategy, checkpointing, mode in the recorded runs, further flags)
RUNS = [
    ("q8 gc", "q8_s8k", ["none", "veomni_async"], "on", []),
    ("q8", "q8_s8k", ["none", "veomni_async"], "off", []),
    ("q06 16k", "q06_s16k", ["none", "veomni_async"], "on", []),
    ("q06 16k limit 0", "q06_s16k", ["veomni_async"], "on", ["--cache-limit-gb", "0"]),
    ("q06 16k .mlp", "q06_s16k", ["veomni_async"], "on", ["--pattern", "model.layers.*.mlp"]),
    ("q06 4k", "q06_s4k", ["none", "veomni_async"], "both", []),
    ("q06 4k verl", "q06_s4k", ["verl_double_buffer", "save_on_cpu"], "off", []),
    ("q8 verl", "q8_s8k", ["verl_double_buffer"], "off", []),
    ("q8 save_on_cpu", "q8_s8k", ["save_on_cpu"], "on", []),
]


def config_of(shape):
    """config.json of a recorded shape."""
    wide = REFERENCE["meta"]["shapes"][shape]
    config = {key: value for key, value in wide.items() if key != "seq_len"}
    config.update(model_type="qwen3", architectures=["Qwen3ForCausalLM"], rms_norm_eps=1e-6, rope_theta=1e6)
    config["tie_word_embeddings"] = wide["hidden_size"] < 2048
    return config


def run(engine, arguments, environment=None):
    """Result of one command, or the message of its failure, with the seconds it took."""
    started = time.monotonic()
    done = subprocess.run([engine, *arguments], capture_output=True, text=True, env=environment)
    seconds = time.monotonic() - started
    if done.returncode != 0:
        return None, done.stderr.strip() or f"exit {done.returncode}", seconds
    return json.loads(done.stdout), "", seconds


def recorded(shape, strategy, checkpointed, flags):
    """The recorded run of the same setting, or None."""
    modes = {"none": ("gc", "none"), "veomni_async": ("gc + veomni_async", "veomni_async (no gc)"),
             "verl_double_buffer": (None, "verl_double_buffer (no gc)"), "save_on_cpu": ("gc + save_on_cpu", "save_on_cpu (no gc)")}
    mode = modes.get(strategy, (None, None))[0 if checkpointed else 1]
    limit = float(flags[flags.index("--cache-limit-gb") + 1]) if "--cache-limit-gb" in flags else 4.0
    patterns = flags[flags.index("--pattern") + 1:] if "--pattern" in flags else None
    for row in REFERENCE["runs"]:
        if row["shape"] != shape or row["mode"] != mode:
            continue
        if strategy == "veomni_async":
            if row.get("cache_limit_gb") not in (None, limit):
                continue
            row_patterns = row.get("patterns") or ["model.layers.{*}"]
            if row_patterns != (patterns or ["model.layers.{*}"]):
                continue
        return row
    return None


def share(value, reference):
    return "" if not reference else f"{value / reference:.3f}"


def row_of(name, shape, flags, each, linked):
    """One line of the table: figures, and each as a multiple of the recorded one."""
    row = recorded(shape, each["strategy"], each["gradientCheckpointing"], flags)
    over = each["afterForwardBytes"] - each["staticBytes"]
    cells = [name, each["strategy"], "on" if each["gradientCheckpointing"] else "off", f"{each['stepMs']['median']:.1f}"]
    cells.append(share(each["stepMs"]["median"], row and row["step_ms_median"]))
    cells.append(f"{over / 1e6:.1f} MB")
    cells.append(share(over, row and row["after_forward_bytes"] - row["static_bytes"]))
    cells.append(share(each["peakBytes"] - each["staticBytes"], row and row["peak_bytes"] - row["static_bytes"]))
    pool = each["pool"]
    counters = "" if pool is None else f"{pool['allocations']}/{pool['reuses']}/{pool['evictions']}/{pool['drops']}"
    if row and row["pool"] and pool:
        counters += " =" if pool == row["pool"] else f" (recorded {row['pool']})"
    cells.append(counters)
    for direction in ("d2h", "h2d"):
        copies = each["copies"][direction]
        if copies["busyNs"] > 0:
            rate = copies["bytes"] / copies["busyNs"]
            shares = f"{rate / linked['pinned'][direction + 'GBps'] * 100:.1f} %"
            for sized in linked["pinnedBySize"]:
                if sized["sizeBytes"] * copies["count"] == copies["bytes"]:
                    shares += f"; {rate / sized[direction + 'GBps'] * 100:.1f} % of copies of {sized['sizeBytes'] >> 20} MiB"
            cells.append(f"{rate:.1f} ({shares}), {copies['hiddenNs'] / copies['busyNs'] * 100:.1f} %")
        else:
            cells.append("")
    cells.append({True: "equal", False: "DIFFER", None: "-"}[each["gradients"]["equalToBaseline"]])
    return "| " + " | ".join(cells) + " |"


def host_allocator_table(engine, out):
    """Both pinned counters and the bytes held at the end; the recording's own block of one byte is taken off."""
    print("\n| run | pool a/r/e/d | recorded | pinned by the driver | recorded | pinned bytes held | recorded | |")
    print("| --- " * 8 + "|", flush=True)
    config = out / "host_allocator.json"
    config.write_text(json.dumps(config_of("q06_s16k")))
    for row in REFERENCE["host_allocator_runs"]["runs"]:
        lengths = ",".join(str(length) for length in row["seq_lens"])
        limit = row["name"].split("limit ")[1].split()[0] if "limit" in row["name"] else "4"
        strategy = "none" if row["pool"] is None else "veomni_async"
        result, failure, _ = run(engine, ["--config-json", str(config), "--device", "cuda", "--strategy", strategy, "--gc", "on", "--seq", lengths,
                                          "--steps", str(len(row["seq_lens"])), "--cache-limit-gb", limit])
        if result is None:
            print(f"| {row['name']} | {failure} |", flush=True)
            continue
        each = result["runs"][0]
        held = each["hostAllocator"] or {"allocations": 0, "bytesHeld": 0}
        expected = (row["pinned_allocations_by_the_framework_allocator"] - 1, row["pinned_bytes_held_at_end"] - 1)
        equal = (held["allocations"], held["bytesHeld"]) == expected and each["pool"] == row["pool"]
        counters = ["/".join(str(count) for count in pool.values()) if pool else "-" for pool in (each["pool"], row["pool"])]
        print(f"| {row['name']} | {counters[0]} | {counters[1]} | {held['allocations']} | {expected[0]} | {held['bytesHeld']} | {expected[1]} "
              f"| {'equal' if equal else 'DIFFER'} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--steps", default="7")
    parser.add_argument("--host-allocator", action="store_true", help="the rows of the pinned allocator alone")
    arguments = parser.parse_args()
    out = arguments.out or pathlib.Path(tempfile.mkdtemp())
    out.mkdir(parents=True, exist_ok=True)

    if arguments.host_allocator:
        host_allocator_table(arguments.engine, out)
        return
    linked, failure, _ = run(arguments.engine, ["link", "--device", "cuda"])
    if linked is None:
        sys.exit(failure)
    (out / "link.json").write_text(json.dumps(linked))
    recorded_link = REFERENCE["meta"]["bandwidth_GBps"]
    print(f"{linked['device']['name']}, driver {linked['device']['driver']}, NUMA node {linked['device'].get('numaNode', 'unknown')}\n")
    print("| link, GB/s | D2H | H2D | both |\n| --- | --- | --- | --- |")
    for kind in ("pinned", "pageable"):
        rates = linked[kind]
        print(f"| {kind} | {rates['d2hGBps']:.2f} (recorded {recorded_link['d2h_' + kind]}) | {rates['h2dGBps']:.2f} "
              f"(recorded {recorded_link['h2d_' + kind]}) | {rates['bothGBps']:.2f} |")
    for sized in linked["pinnedBySize"]:
        print(f"| pinned, one copy of {sized['sizeBytes'] >> 20} MiB at a time | {sized['d2hGBps']:.2f} | {sized['h2dGBps']:.2f} | |")
    print("\n| run | strategy | gc | step ms | x recorded | after forward - static | x recorded | peak - static, x recorded | pool a/r/e/d "
          "| D2H GB/s (of link), hidden | H2D | gradients |")
    print("| --- " * 12 + "|", flush=True)
    for name, shape, strategies, checkpointing, flags in RUNS:
        if arguments.only and name not in arguments.only:
            continue
        config = out / f"{shape}.json"
        config.write_text(json.dumps(config_of(shape)))
        seq = str(REFERENCE["meta"]["shapes"][shape]["seq_len"])
        command = ["--config-json", str(config), "--device", "cuda", "--strategy", *strategies, "--gc", checkpointing, "--seq", seq,
                   "--steps", arguments.steps, *flags]
        if name == "q8 gc":
            command += ["--out", str(out / "h200.offload")]
        result, failure, seconds = run(arguments.engine, command)
        if result is None:
            print(f"| {name} | {failure} |", flush=True)
            continue
        (out / (name.replace(" ", "_") + ".json")).write_text(json.dumps(result))
        for each in result["runs"]:
            print(row_of(name, shape, flags, each, linked), flush=True)
        notes = sorted({warning["code"] for warning in result["warnings"]})
        print(f"<!-- {name}: {seconds:.0f} s, matrix products {result['device']['matmul']}, warnings {', '.join(notes) or 'none'} -->", flush=True)


if __name__ == "__main__":
    main()
