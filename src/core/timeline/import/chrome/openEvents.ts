import type { EventStore } from "./eventStore.js";

interface Open {
  readonly event: number;
  readonly startNs: number;
}

/** Deeper than any real stack; a file of begins only must not fill the memory twice. */
const MAX_DEPTH = 4_096;
const MAX_ASYNC = 2 ** 20;

/** Events that are begun and ended by two elements: per thread a stack, asynchronous ones by id. */
export class OpenEvents {
  private readonly stacks = new Map<number, Open[]>();
  private readonly async = new Map<number, Open[]>();
  private asyncCount = 0;
  /** End of the last thing seen on each thread. */
  private readonly reachedNs: number[] = [];

  constructor(private readonly store: EventStore) {}

  begin(thread: number, event: number, startNs: number): void {
    const stack = this.stacks.get(thread) ?? [];
    if (stack.length < MAX_DEPTH) stack.push({ event, startNs });
    this.stacks.set(thread, stack);
  }

  /** False where nothing is open. */
  end(thread: number, endNs: number): boolean {
    this.reach(thread, endNs);
    return this.close(this.stacks.get(thread)?.pop(), endNs);
  }

  beginAsync(id: number, event: number, startNs: number): void {
    if (this.asyncCount >= MAX_ASYNC) return;
    this.asyncCount++;
    const open = this.async.get(id) ?? [];
    open.push({ event, startNs });
    this.async.set(id, open);
  }

  endAsync(id: number, endNs: number): boolean {
    const stack = this.async.get(id);
    const open = stack?.pop();
    if (stack?.length === 0) this.async.delete(id);
    if (open !== undefined) this.asyncCount--;
    return this.close(open, endNs);
  }

  /** Notes that something of the thread lasted until `endNs`. */
  reach(thread: number, endNs: number): void {
    const reached = this.reachedNs[thread];
    if (reached === undefined || endNs > reached) this.reachedNs[thread] = endNs;
  }

  /** Lets everything open last until the last event of its thread; returns how many there were. */
  closeAll(): number {
    let closed = 0;
    for (const [thread, stack] of this.stacks) {
      const endNs = this.reachedNs[thread] ?? 0;
      for (const open of stack) this.close(open, endNs);
      closed += stack.length;
    }
    for (const stack of this.async.values()) closed += stack.length;
    this.stacks.clear();
    this.async.clear();
    return closed;
  }

  private close(open: Open | undefined, endNs: number): boolean {
    if (open === undefined) return false;
    this.store.setDuration(open.event, Math.max(0, endNs - open.startNs));
    return true;
  }
}
