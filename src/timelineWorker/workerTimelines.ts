import { setImmediate as nextTurn } from "node:timers/promises";
import { fail, type Outcome, type Problem, succeed } from "../core/base/outcome.js";
import { answerQuestion } from "../core/timeline/answers.js";
import { traceContainer } from "../core/timeline/container/traceContainer.js";
import { chromeJson } from "../core/timeline/export/chromeJson.js";
import { eventsCsv } from "../core/timeline/export/eventsCsv.js";
import { findingSteps } from "../core/timeline/findings/findFindings.js";
import type { ImportedFile } from "../core/timeline/import/traceFormat.js";
import { listedEvents } from "../core/timeline/query/eventTable.js";
import { type IndexedProfile, indexProfile, overviewOf } from "../core/timeline/query/indexedTimeline.js";
import { indexTraces, namedTraces, type TraceInput } from "../core/timeline/query/indexTraces.js";
import type { Answer, ExportRequest, ProfileOverview, UnreadFile } from "../core/timeline/query/protocol.js";
import { stillLoading } from "../core/timeline/query/stillLoading.js";
import { loadFile, timelinesOf } from "../node/timelineFiles.js";
import { writePieces } from "../node/writePieces.js";
import type { FileProgress, ThreadRequest, TimelineFile } from "./messages.js";

/** Progress is said at most this often: the page cannot show more. */
const PROGRESS_MS = 100;

type Report = (progress: FileProgress) => void;

/** Everything that the thread of one editor tab does, request by request. */
export class WorkerTimelines {
  private profile: IndexedProfile | undefined;

  async answer(request: ThreadRequest, report: Report): Promise<Outcome<ProfileOverview | Answer | null>> {
    switch (request.kind) {
      case "open": {
        const opened = await this.open(request.files, report);
        if (!opened.ok) return opened;
        this.profile = opened.value;
        const title = request.files.map(({ fileName }) => fileName).join(" + ");
        return succeed(overviewOf(opened.value, title));
      }
      case "ask":
        if (request.question.kind === "findings") await this.prepareFindings(request.question.run);
        return this.profile === undefined ? fail(stillLoading) : answerQuestion(this.profile, request.question);
      case "export":
        return this.write(request.request, request.path);
    }
  }

  /** The rules take seconds on millions of events: between two of them other questions get their answers. */
  private async prepareFindings(run: number): Promise<void> {
    const indexed = this.profile?.timelines[run] ?? null;
    if (indexed === null || indexed.findings !== null) return;
    const steps = findingSteps(indexed);
    let step = steps.next();
    while (step.done !== true) {
      await nextTurn();
      step = steps.next();
    }
    indexed.findings = step.value;
  }

  /** Of several files those that can be read are shown, whichever come first; fails where none can. */
  private async open(files: readonly TimelineFile[], report: Report): Promise<Outcome<IndexedProfile>> {
    const inputs: TraceInput[] = [];
    const unread: UnreadFile[] = [];
    let only: ImportedFile | undefined;
    let addedRun: number | null = null;
    for (const file of files) {
      const loaded = file.problem === undefined ? await this.load(file, report) : fail<ImportedFile>(file.problem);
      if (!loaded.ok) {
        unread.push({ fileName: file.fileName, problem: loaded.problem });
        continue;
      }
      only = loaded.value;
      // Where nothing before it could be read, there is nothing to compare it with.
      if (file.isAdded === true && inputs.length > 0) addedRun = inputs.length;
      for (const { file: name, run, timeline, report } of timelinesOf(file.fileName, loaded.value))
        inputs.push({ fileName: run === null ? name : `${name}: ${run}`, timeline, report });
    }
    if (files.length === 1 && only?.kind === "profile") return succeed(indexProfile(only.saved));
    const [first] = unread;
    if (inputs.length === 0 && first !== undefined) return fail(unread.length > 1 ? noneRead(unread) : first.problem);
    return succeed({ ...indexTraces(inputs), unread, addedRun });
  }

  private load({ fileName, path }: TimelineFile, report: Report): Promise<Outcome<ImportedFile>> {
    let saidAt = 0;
    return loadFile(fileName, path, {
      onProgress: (progress) => {
        const now = Date.now();
        if (progress.phase === "reading" && now - saidAt < PROGRESS_MS) return;
        saidAt = now;
        report({ fileName, progress });
      },
    });
  }

  private async write(request: ExportRequest, path: string): Promise<Outcome<null>> {
    if (this.profile === undefined) return fail(stillLoading);
    if (request.format === "offload") return writePieces(path, traceContainer(namedTraces(this.profile)));
    const indexed = this.profile.timelines[request.run];
    if (indexed === undefined || indexed === null) return fail(stillLoading);
    if (request.format === "chrome") return writePieces(path, chromeJson(indexed.timeline));
    return writePieces(path, eventsCsv(indexed.timeline, listedEvents(indexed, request.filter, request.sort)));
  }
}

function noneRead(unread: readonly UnreadFile[]): Problem {
  const named = unread.slice(0, MOST_NAMED).map(({ fileName, problem }) => `${fileName}: ${problem.code}`);
  const more = unread.length > MOST_NAMED ? `, and ${unread.length - MOST_NAMED} more` : "";
  return {
    code: "NO_FILE_READABLE",
    message: `None of the ${unread.length} files can be shown.`,
    cause: `${named.join(", ")}${more}.`,
    nextStep: "Open one of them alone to see what is wrong with it, or record them again.",
  };
}

/** Longer lists are cut: nobody reads them in a message. */
const MOST_NAMED = 8;
