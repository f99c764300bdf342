/**
 * Runs one task at a time and keeps only the newest of those that arrive meanwhile: what scrolling and hovering ask for is
 * worthless once there is something newer.
 */
export class KeepLatest {
  private running = false;
  private pending: (() => Promise<void>) | undefined;

  run(task: () => Promise<void>): void {
    this.pending = task;
    if (!this.running) void this.drain();
  }

  private async drain(): Promise<void> {
    this.running = true;
    while (this.pending !== undefined) {
      const task = this.pending;
      this.pending = undefined;
      await task();
    }
    this.running = false;
  }
}
