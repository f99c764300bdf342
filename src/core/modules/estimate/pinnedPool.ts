/** Counters of the host pool over the steps that were run; `idleBytes` and `pinnedBytes` are those after the last step. */
export interface PoolCounts {
  readonly allocations: number;
  readonly reuses: number;
  readonly evictions: number;
  readonly drops: number;
  /** Buffers that the pool keeps for the next step. */
  readonly idleBytes: number;
}

/**
 * What the framework's host pool does in each of `steps` equal steps (offload semantics, part A): all buffers of a step are acquired
 * in forward, in this order, and come back in reverse during backward. A layout is told by its size here. The pool keeps free
 * buffers up to `limitBytes`, evicting the oldest of the least recently used layout; a buffer above the limit is dropped.
 */
export function simulatePool(bufferBytes: readonly number[], limitBytes: number, steps: number): readonly PoolCounts[] {
  /** Free buffers per size, least recently used size first. */
  const free = new Map<number, number>();
  let idleBytes = 0;
  return Array.from({ length: steps }, () => {
    const counts = { allocations: 0, reuses: 0, evictions: 0, drops: 0 };
    for (const size of bufferBytes) {
      const kept = free.get(size) ?? 0;
      if (kept === 0) {
        counts.allocations += 1;
        continue;
      }
      counts.reuses += 1;
      idleBytes -= size;
      touch(free, size, kept - 1);
    }
    for (const size of [...bufferBytes].reverse()) {
      if (size > limitBytes || limitBytes === 0) {
        counts.drops += 1;
        continue;
      }
      while (idleBytes + size > limitBytes) {
        idleBytes -= evict(free);
        counts.evictions += 1;
      }
      idleBytes += size;
      touch(free, size, (free.get(size) ?? 0) + 1);
    }
    return { ...counts, idleBytes };
  });
}

/** Sets the number of free buffers of a size and makes the size the most recently used one. */
function touch(free: Map<number, number>, size: number, count: number): void {
  free.delete(size);
  if (count > 0) free.set(size, count);
}

function evict(free: Map<number, number>): number {
  const [oldest] = free;
  if (oldest === undefined) throw new Error("the pool is empty but counts idle bytes");
  const [size, count] = oldest;
  if (count > 1) free.set(size, count - 1);
  else free.delete(size);
  return size;
}

/** PyTorch's pinned allocator below the pool gives every buffer a block of the next power of two. */
export function pinnedBlockBytes(bufferBytes: number): number {
  return bufferBytes <= 1 ? bufferBytes : 2 ** Math.ceil(Math.log2(bufferBytes));
}
