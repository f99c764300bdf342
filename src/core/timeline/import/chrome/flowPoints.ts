/** Ends of arrows as the file has them, in growing columns; 21 bytes each. */
export class FlowPoints {
  length = 0;
  timeNs = new Float64Array(64);
  id = new Float64Array(64);
  thread = new Uint32Array(64);
  /** 0: begins, 1: passes through, 2: ends. */
  phase = new Uint8Array(64);
  /** Category (`Category`), so that arrows of different kinds with equal ids stay apart. */
  category = new Uint8Array(64);

  add(timeNs: number, id: number, thread: number, phase: number, category: number): void {
    if (this.length === this.timeNs.length) this.grow();
    const at = this.length++;
    this.timeNs[at] = timeNs;
    this.id[at] = id;
    this.thread[at] = thread;
    this.phase[at] = phase;
    this.category[at] = category;
  }

  private grow(): void {
    const length = this.timeNs.length * 2;
    const { timeNs, id, thread, phase, category } = this;
    this.timeNs = new Float64Array(length);
    this.timeNs.set(timeNs);
    this.id = new Float64Array(length);
    this.id.set(id);
    this.thread = new Uint32Array(length);
    this.thread.set(thread);
    this.phase = new Uint8Array(length);
    this.phase.set(phase);
    this.category = new Uint8Array(length);
    this.category.set(category);
  }
}
