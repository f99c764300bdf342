import type { Outcome } from "../../../core/base/outcome.js";
import { formatNs } from "../../../core/base/quantities.js";
import type { ExportRequest } from "../../../core/timeline/query/protocol.js";
import { takesKeys } from "../../kit/controls.js";
import type { Connection } from "../connection.js";
import type { ViewModel } from "../state/viewModel.js";
import { meaningOf } from "../theme.js";
import type { TimelineView } from "../timelineView.js";

/** Files and clipboard. The extension asks for a place and writes; only the picture is made here. */
export class Exports {
  constructor(
    private readonly model: ViewModel,
    private readonly view: TimelineView,
    private readonly connection: Connection,
    private readonly announce: (text: string) => void,
  ) {}

  request(request: ExportRequest): void {
    this.connection.tell({ type: "export", request });
  }

  async savePicture(): Promise<void> {
    const picture = this.view.picture();
    const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, "image/png"));
    if (blob === null) return this.announce("The picture could not be made.");
    this.connection.tell({ type: "savePicture", png: await blob.arrayBuffer() });
  }

  /** Copies what is selected as text: the event, else the selected stretch of time. */
  async copy(): Promise<void> {
    const text = this.selectionText();
    if (text === null) return this.announce("Nothing is selected.");
    try {
      await navigator.clipboard.writeText(text);
      this.announce("Copied.");
    } catch {
      this.announce("The clipboard is not available.");
    }
  }

  /** The editor's own key for copying, where no text is selected. Returns how to stop. */
  listenToCopy(): () => void {
    const onCopy = (event: ClipboardEvent) => {
      const text = this.selectionText();
      if (text === null || takesKeys(event) || document.getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", text);
      this.announce("Copied.");
    };
    document.addEventListener("copy", onCopy);
    return () => document.removeEventListener("copy", onCopy);
  }

  /** What the extension says of a file that it was asked to write; null: the user chose none. */
  tellOutcome(outcome: Outcome<{ readonly path: string } | null>): void {
    if (!outcome.ok) this.announce(`${outcome.problem.message} ${outcome.problem.nextStep}`);
    else if (outcome.value !== null) this.announce(`Saved ${outcome.value.path}.`);
  }

  /** Lines of `name<tab>value`, exact numbers, as a spreadsheet takes them. */
  private selectionText(): string | null {
    const { selected, area } = this.model;
    if (selected !== null) {
      const lines: readonly (readonly [string, string | number])[] = [
        ["name", selected.name],
        ["kind", meaningOf(selected.kind)],
        ["stream", selected.stream],
        ["layer", selected.layer < 0 ? "" : selected.layer],
        ["start_ns", selected.startNs],
        ["duration_ns", selected.durationNs],
        ["bytes", selected.bytes ?? ""],
        ["hidden_ns", selected.hiddenNs ?? ""],
      ];
      return lines.map((line) => line.join("\t")).join("\n");
    }
    if (area === null) return null;
    return `from_ns\t${area.fromNs}\nto_ns\t${area.toNs}\nlength\t${formatNs(area.toNs - area.fromNs)}`;
  }
}
