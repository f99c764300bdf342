import { counted, formatBytes, formatShare } from "../../../core/base/quantities.js";
import type { LoadingProgress } from "../../../core/timeline/query/protocol.js";
import { progressRing, textButton } from "../../kit/controls.js";
import { element, setAttributes, setText } from "../../kit/element.js";

const PHASES: Readonly<Record<LoadingProgress["phase"], string>> = {
  reading: "Reading",
  sorting: "Sorting",
  indexing: "Indexing",
};

/** Shown until the file is read: how far it is, and a button that stops it. */
export class LoadingNotice {
  readonly root: HTMLElement;
  private readonly title = element("h1", { class: "notice-title" });
  private readonly detail = element("p", { class: "muted" });
  private readonly bar = element("progress", { "aria-label": "Progress of the import", hidden: true });
  private readonly cancel: HTMLElement;

  constructor(onCancel: () => void) {
    this.cancel = textButton("Cancel", "Stop reading this file", onCancel);
    this.cancel.hidden = true;
    this.root = element(
      "main",
      { class: "notice" },
      progressRing(),
      element("div", { role: "status" }, this.title),
      this.bar,
      this.detail,
      this.cancel,
    );
  }

  show(fileName: string, sizeBytes: number | null, progress: LoadingProgress | undefined): void {
    const size = sizeBytes === null ? "" : ` (${formatBytes(sizeBytes)})`;
    const title = `${PHASES[progress?.phase ?? "reading"]} ${fileName}${size} …`;
    // Said once per phase, not once per step of the bar.
    if (this.title.textContent !== title) setText(this.title, title);
    this.cancel.hidden = sizeBytes === null;
    if (progress === undefined) return;
    const { readBytes, ofBytes, events } = progress;
    const share = ofBytes === null || ofBytes <= 0 ? null : Math.min(1, readBytes / ofBytes);
    const of = ofBytes === null ? "" : ` of ${formatBytes(ofBytes)}`;
    const percent = share === null ? "" : ` (${formatShare(share)})`;
    setText(this.detail, `${formatBytes(readBytes)}${of}${percent}, ${counted(events, "event")}`);
    this.bar.hidden = false;
    if (share === null) this.bar.removeAttribute("value");
    else setAttributes(this.bar, { value: share, max: 1 });
  }
}
