import { describe, expect, it } from "vitest";
import {
  type DumpEnd,
  dumpCacheKey,
  dumpProblem,
  readPythonDump,
} from "../../../../src/core/modules/source/pythonDump.js";

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const end: DumpEnd = {
  python: "python3",
  exitCode: 3,
  timedOut: false,
  cancelled: false,
  notStarted: false,
  stderr: "",
  tooLarge: false,
  maxOutputBytes: 2 ** 28,
  timeLimitSeconds: 60,
};

describe("readPythonDump", () => {
  it("gives an exact tree with sizes and attributes", () => {
    const tree = readPythonDump(
      encode({
        model_type: "t",
        architecture: "T",
        no_split_modules: ["L"],
        containers: ["layers"],
        module_dicts: [],
        named_modules: [
          ["", "T"],
          ["layers", "ModuleList"],
        ],
        aliases: [["tied", "layers"]],
        none_attributes: ["x"],
        sized_attributes: [["y", 3]],
        container_lengths: [["layers", 2]],
        config: { hidden_size: 64 },
        built_by: "veomni",
        versions: { torch: "2" },
      }),
    );
    expect(tree).toMatchObject({
      ok: true,
      value: { source: "python-dump", exact: true, uncertain: [], dimensions: { hiddenSize: 64 } },
    });
  });

  it("refuses what is no tree", () => {
    expect(readPythonDump(encode({}))).toMatchObject({ ok: false, problem: { code: "DUMP_FAILED" } });
    expect(readPythonDump(new Uint8Array([1]))).toMatchObject({ ok: false, problem: { code: "DUMP_FAILED" } });
  });
});

describe("dumpProblem", () => {
  it.each([
    [{ notStarted: true }, "PYTHON_MISSING", "python3"],
    [{ cancelled: true, exitCode: null }, "DUMP_CANCELLED", "cancelled"],
    [{ timedOut: true, exitCode: null }, "DUMP_TIMED_OUT", "60 s"],
    [{ stderr: "progress: x\nfailed: DUMP_TIMED_OUT the time limit is over\n" }, "DUMP_TIMED_OUT", "60 s"],
    [{ stderr: "failed: TRANSFORMERS_MISSING No module named 'torch'\n" }, "TRANSFORMERS_MISSING", "python3"],
    [{ stderr: "warning\nfailed: DUMP_FAILED ValueError: no such\n" }, "DUMP_FAILED", "module dump"],
  ])("translates %j", (change, code, text) => {
    const problem = dumpProblem({ ...end, ...change });
    expect(problem.code).toBe(code);
    expect(problem.message).toContain(text);
  });

  it("shows the last line of an error, the status or the signal", () => {
    const causeOf = (change: Partial<DumpEnd>) => dumpProblem({ ...end, ...change }).cause;
    expect(causeOf({ stderr: "Traceback\n  File x\nKeyError: 'a'\n" })).toBe("KeyError: 'a'.");
    expect(causeOf({ stderr: "failed: DUMP_FAILED ValueError: no such" })).toBe("ValueError: no such.");
    expect(causeOf({ exitCode: 139 })).toBe("It ended with status 139.");
    expect(causeOf({ exitCode: null })).toBe("The interpreter was ended by a signal.");
    expect(causeOf({ stderr: "x".repeat(10_000) })?.length).toBeLessThan(500);
  });
});

describe("dumpCacheKey", () => {
  const inputs = { configSha256: "a", scriptSha256: "b", versions: { torch: "2", transformers: "5" }, python: "p" };

  it("depends on each input, not on the order of the versions", () => {
    const key = dumpCacheKey(inputs);
    expect(dumpCacheKey({ ...inputs, versions: { transformers: "5", torch: "2" } })).toBe(key);
    const changes = [
      { configSha256: "c" },
      { scriptSha256: "c" },
      { versions: { torch: "3" } },
      { python: "q" },
      { architecture: "A" },
    ];
    for (const change of changes) expect(dumpCacheKey({ ...inputs, ...change })).not.toBe(key);
  });
});
