/** Bytes of the host cache limit: units of 1024^3, as both frameworks count. `undefined` for values that they refuse. */
export function limitBytes(limitGb: number): number | undefined {
  const bytes = Math.floor(limitGb * 2 ** 30);
  return Number.isFinite(bytes) && bytes >= 0 ? bytes : undefined;
}

/** Bytes with groups of three: `4,294,967,296 bytes`. */
export function bytesText(bytes: number): string {
  return `${grouped.format(bytes)} ${bytes === 1 ? "byte" : "bytes"}`;
}

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/**
 * What the limit means, as Markdown. The block size follows PyTorch's pinned allocator, which rounds each request up to a
 * power of two; the example is one layer input of 17,000 tokens with 4,096 values of 2 bytes.
 */
export function limitMarkdown(limitGb: number): string {
  const bytes = limitBytes(limitGb);
  if (bytes === undefined) return "Both frameworks refuse this value: the limit has to be finite and at least 0.";
  const request = 17_000 * 4_096 * 2;
  const block = 2 ** Math.ceil(Math.log2(request));
  const fit = Math.floor(bytes / request);
  const kept =
    limitGb === 0
      ? "0 keeps no idle buffer: each one goes back to PyTorch's pinned allocator when its copy is done."
      : `${limitGb} × 1024³ = ${bytesText(bytes)} of idle pinned buffers may be kept per process, least recently used shape out first. Buffers in flight do not count.`;
  return [
    kept,
    `PyTorch pins blocks of a power of two: a layer input of 17,000 tokens × 4,096 × 2 bytes = ${bytesText(request)} takes a block of ${bytesText(block)}. ` +
      `The limit counts the ${bytesText(request)}${limitGb === 0 ? "" : `, so ${fit === 0 ? "not even one" : grouped.format(fit)} of them ${fit === 1 ? "fits" : "fit"}`}; the machine loses the block.`,
  ].join("\n\n");
}
