import { expect, it } from "vitest";
import { launcherIn } from "../../../../src/core/config/overrides/launcher.js";

it.each([
  ["torchrun --nproc_per_node=8 t.py", 8],
  ["torchrun --nnodes=4 --nproc-per-node 8 t.py", 32],
  ["# torchrun --nproc_per_node=2\ntorchrun --nproc_per_node=8 t.py", 8],
])("counts ranks in %j", (text, ranks) => {
  expect(launcherIn(text)?.ranks).toBe(ranks);
});

it.each([
  "python t.py",
  "torchrun --nproc_per_node=$N t.py",
  "torchrun --nproc_per_node=0 t.py",
  "torchrun --nnodes=$N --nproc_per_node=8 t.py",
  "torchrun --nproc_per_node=8 a.py\ntorchrun --nproc_per_node=4 b.py",
  "torchrun --nnodes=9999999999 --nproc_per_node=9999999999 t.py",
])("knows nothing in %j", (text) => {
  expect(launcherIn(text)).toBeUndefined();
});
