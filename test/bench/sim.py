#!/usr/bin/env python3
"""Compares the simulated H200 with training steps that were measured on a real one, and prints Markdown.

    python3 test/bench/sim.py ENGINE [--device sim:NAME|sim:FILE]

ENGINE is the built offload-lens-engine. The measured steps are those of test/fixtures/reference-runs.json, to which the profile of
the H200 is fitted, and of test/fixtures/validation-runs.json, other models and lengths.
"""

import argparse
import json
import pathlib
import tempfile

from gpu import REFERENCE, ROOT, config_of, run

STRATEGIES = ("veomni_async", "verl_double_buffer", "save_on_cpu")


def flags_of(row):
    """The engine's flags for a measured row: its mode is the name of a strategy, with `gc` for checkpointing."""
    strategy = next((name for name in STRATEGIES if name in row["mode"]), "none")
    flags = ["--strategy", strategy, "--gc", "on" if row["mode"].startswith("gc") else "off", "--steps", "7"]
    # The recording ran verl's own code.
    flags += ["--double-buffer-key", "original"]
    if row.get("cache_limit_gb") is not None:
        flags += ["--cache-limit-gb", str(row["cache_limit_gb"])]
    return flags + (["--pattern", *row["patterns"]] if row.get("patterns") else [])


def percent(value, measured):
    """Deviation, one digit, no minus before zero; empty where next to nothing was measured."""
    return f"{round((value / measured - 1) * 100, 1) + 0:+.1f} %" if measured > 1e6 else ""


def line_of(name, seq, row, each):
    """Deviations of one simulated run from the measured one; bytes over static, because other things lived in the process."""
    step, samples = each["stepMs"], row["step_ms_samples"]
    inside = min(samples) <= step["median"] <= max(samples)
    low, high = step["range"]
    pool = each["pool"] and {key: each["pool"][key] for key in ("allocations", "reuses", "evictions", "drops")}
    cells = [
        f"{name}, {row['mode']}" + (f", {' '.join(row['patterns'])}" if row.get("patterns") else ""),
        f"{seq:,}",
        f"{row['step_ms_median']:.1f}",
        f"{step['median']:.1f}",
        f"{round((step['median'] / row['step_ms_median'] - 1) * 100, 1) + 0:+.1f} %" + (", in the spread" if inside else ""),
        "yes" if low <= row["step_ms_median"] <= high else "no",
        percent(each["afterForwardBytes"] - each["staticBytes"], row["after_forward_bytes"] - row["static_bytes"]),
        percent(each["peakBytes"] - each["staticBytes"], row["peak_bytes"] - row["static_bytes"]),
        "" if row["pool"] is None else "equal" if pool == row["pool"] else f"{pool} for {row['pool']}",
        each["exactness"]["bytes"] if isinstance(each["exactness"], dict) and "bytes" in each["exactness"] else "",
    ]
    return "| " + " | ".join(cells) + " |"


def table(engine, device, title, rows, folder):
    print(f"\n{title}\n\n| run | tokens | measured, ms | simulated, ms | step | in the stated range | after forward | peak | pool | bytes |")
    print("| --- " * 10 + "|", flush=True)
    for name, config, seq, row in rows:
        path = folder / "config.json"
        path.write_text(json.dumps(config))
        result, failure, _ = run(engine, ["--config-json", str(path), "--device", device, "--seq", str(seq), *flags_of(row)])
        print(f"| {name} | {failure} |" if result is None else line_of(name, seq, row, result["runs"][0]), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--device", default="sim:H200")
    arguments = parser.parse_args()
    shapes = REFERENCE["meta"]["shapes"]
    recorded = [(row["shape"], config_of(row["shape"]), shapes[row["shape"]]["seq_len"], row) for row in REFERENCE["runs"]]
    validation = json.loads((ROOT / "test" / "fixtures" / "validation-runs.json").read_text())["runs"]
    others = [(row["name"], row["config"], row["seq_len"], row) for row in validation]
    with tempfile.TemporaryDirectory() as folder:
        table(arguments.engine, arguments.device, "Recorded runs", recorded, pathlib.Path(folder))
        table(arguments.engine, arguments.device, "Other models and lengths", others, pathlib.Path(folder))


if __name__ == "__main__":
    main()
