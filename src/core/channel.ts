import { fail, type Outcome, type Problem } from "./base/outcome.js";

/*
 * The one way in which a page, a thread or a process and its owner speak: one side asks, the other answers, and both may tell
 * something that nobody answers. Every request has an id and gets exactly one answer with that id; until then there may be
 * progress, and the asking side may cancel.
 */

/** One end of a connection, as a shell lends it. */
export interface Port {
  /** Never throws; a message to a side that is gone is dropped. Buffers of `transfer` leave this side where the port can do that. */
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /** Messages of the other side, from now on. */
  listen(listener: (message: unknown) => void): void;
}

/** Who says what: the types of one connection. */
export interface Line {
  readonly request: { readonly kind: string };
  /** The value of the answer, by the `kind` of its request. */
  readonly answers: object;
  readonly progress: unknown;
  /** What the asking side tells. */
  readonly told: unknown;
  /** What the answering side tells. */
  readonly announced: unknown;
}

/** The value that answers a request. */
export type AnswerTo<L extends Line, R extends L["request"]> = L["answers"][R["kind"] & keyof L["answers"]];

type AnyAnswer<L extends Line> = L["answers"][keyof L["answers"]];

/** Says whether a value is what it should be; a zod schema is one. */
export interface Check<T> {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false };
}

type Packet =
  | { readonly packet: "request" | "progress" | "answer"; readonly id: number; readonly body: unknown }
  | { readonly packet: "cancel"; readonly id: number }
  | { readonly packet: "told"; readonly body: unknown };

function readPacket(message: unknown): Packet | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { packet, id, body } = message as Readonly<Record<string, unknown>>;
  if (packet === "told") return { packet, body };
  if (!Number.isSafeInteger(id)) return undefined;
  if (packet === "cancel") return { packet, id: id as number };
  return packet === "request" || packet === "progress" || packet === "answer"
    ? { packet, id: id as number, body }
    : undefined;
}

/** A request under way. */
export interface Asked<Answer> {
  /** Settles exactly once and never rejects. */
  readonly answer: Promise<Outcome<Answer>>;
  /** Nothing has settled it yet. */
  readonly isOpen: boolean;
  /** Tells the other side that nobody needs the answer any more; there still is one. Harmless after it. */
  cancel(): void;
}

export interface AskingOptions<L extends Line> {
  readonly onAnnounced?: (announced: L["announced"]) => void;
  /** A message came that is none of the line's. Without, such messages are ignored. */
  readonly onUnreadable?: () => void;
  /**
   * Checks of what crosses the border of a process; what fails one is unreadable. Threads and pages are parts of the same
   * program, and their answers are too large to be walked: there is no check.
   */
  readonly checks?: {
    readonly answer: Check<Outcome<AnyAnswer<L>>>;
    readonly progress?: Check<L["progress"]>;
    readonly announced?: Check<L["announced"]>;
  };
}

interface Waiting<L extends Line> {
  readonly settle: (outcome: Outcome<AnyAnswer<L>>) => void;
  readonly onProgress: ((progress: L["progress"]) => void) | undefined;
}

/** The side that asks. */
export class AskingEnd<L extends Line> {
  readonly #waiting = new Map<number, Waiting<L>>();
  #nextId = 1;
  #ended: Problem | undefined;

  constructor(
    private readonly port: Port,
    private readonly options: AskingOptions<L> = {},
  ) {
    port.listen((message) => this.#receive(message));
  }

  ask<R extends L["request"]>(
    request: R,
    onProgress?: (progress: L["progress"]) => void,
    transfer?: readonly ArrayBuffer[],
  ): Asked<AnswerTo<L, R>> {
    const id = this.#nextId++;
    const waiting = this.#waiting;
    const answer = new Promise<Outcome<AnswerTo<L, R>>>((settle) => {
      if (this.#ended !== undefined) {
        settle(fail(this.#ended));
        return;
      }
      // The kind of the request decides the type of its answer: the other side answers by the same table.
      waiting.set(id, { settle: settle as Waiting<L>["settle"], onProgress });
      this.port.post({ packet: "request", id, body: request } satisfies Packet, transfer);
    });
    return {
      answer,
      get isOpen() {
        return waiting.has(id);
      },
      cancel: () => {
        if (waiting.has(id)) this.port.post({ packet: "cancel", id } satisfies Packet);
      },
    };
  }

  tell(told: L["told"], transfer?: readonly ArrayBuffer[]): void {
    if (this.#ended === undefined) this.port.post({ packet: "told", body: told } satisfies Packet, transfer);
  }

  /** Fails what is asked now; later answers to it are dropped. */
  forget(problem: Problem): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { settle } of waiting) settle(fail(problem));
  }

  /** The other side is gone: everything that was asked and will be asked fails. Only the first reason counts. */
  end(problem: Problem): void {
    this.#ended ??= problem;
    this.forget(this.#ended);
  }

  #receive(message: unknown): void {
    if (this.#ended === undefined && !this.#take(readPacket(message))) this.options.onUnreadable?.();
  }

  /** Whether the packet is one of this line. */
  #take(packet: Packet | undefined): boolean {
    const { checks, onAnnounced } = this.options;
    if (packet?.packet === "answer") {
      const answer = checked(checks?.answer, packet.body);
      if (answer === undefined) return false;
      const waiting = this.#waiting.get(packet.id);
      this.#waiting.delete(packet.id);
      waiting?.settle(answer.value);
      return true;
    }
    if (packet?.packet === "progress") {
      const progress = checked(checks?.progress, packet.body);
      if (progress !== undefined) this.#waiting.get(packet.id)?.onProgress?.(progress.value);
      return progress !== undefined;
    }
    if (packet?.packet !== "told") return false;
    const announced = checked(checks?.announced, packet.body);
    if (announced !== undefined) onAnnounced?.(announced.value);
    return announced !== undefined;
  }
}

function checked<T>(check: Check<T> | undefined, value: unknown): { readonly value: T } | undefined {
  if (check === undefined) return { value: value as T };
  const result = check.safeParse(value);
  return result.success ? { value: result.data } : undefined;
}

/** What the answering side knows about a request beside its content. */
export interface Call<L extends Line> {
  report(progress: L["progress"]): void;
  /** Calls `action` when the asking side cancels; at once if it already has. */
  onCancel(action: () => void): void;
}

/** A value with the buffers of it that may leave this side. */
export interface Packed<T> {
  readonly value: T;
  readonly transfer: readonly ArrayBuffer[];
}

type Answerer<L extends Line> = (
  request: L["request"],
  call: Call<L>,
) => Promise<Outcome<AnyAnswer<L>>> | Outcome<AnyAnswer<L>>;

export interface AnsweringOptions<L extends Line> {
  /**
   * Must not reject. The value of what succeeds is what `L["answers"]` has for the request's kind. Absent on a line without
   * requests.
   */
  readonly answer?: Answerer<L>;
  readonly onTold?: (told: L["told"]) => void;
  /** Prepares an answer for the port. */
  readonly pack?: (outcome: Outcome<AnyAnswer<L>>, request: L["request"]) => Packed<Outcome<AnyAnswer<L>>>;
  /** Checks of what crosses the border of a process; what fails one is dropped. */
  readonly checks?: { readonly request?: Check<L["request"]>; readonly told?: Check<L["told"]> };
}

interface CallState {
  isCancelled: boolean;
  action: (() => void) | undefined;
}

/** The side that answers. */
export class AnsweringEnd<L extends Line> {
  readonly #calls = new Map<number, CallState>();

  constructor(
    private readonly port: Port,
    private readonly options: AnsweringOptions<L>,
  ) {
    port.listen((message) => this.#receive(message));
  }

  announce(announced: L["announced"], transfer?: readonly ArrayBuffer[]): void {
    this.port.post({ packet: "told", body: announced } satisfies Packet, transfer);
  }

  #receive(message: unknown): void {
    const { answer, checks, onTold } = this.options;
    const packet = readPacket(message);
    if (packet?.packet === "request") {
      const request = checked(checks?.request, packet.body);
      if (request !== undefined && answer !== undefined) void this.#answer(packet.id, request.value, answer);
    } else if (packet?.packet === "cancel") {
      const call = this.#calls.get(packet.id);
      if (call === undefined) return;
      call.isCancelled = true;
      call.action?.();
    } else if (packet?.packet === "told") {
      const told = checked(checks?.told, packet.body);
      if (told !== undefined) onTold?.(told.value);
    }
  }

  async #answer(id: number, request: L["request"], answer: Answerer<L>): Promise<void> {
    const state: CallState = { isCancelled: false, action: undefined };
    this.#calls.set(id, state);
    const outcome = await answer(request, {
      report: (progress) => this.port.post({ packet: "progress", id, body: progress } satisfies Packet),
      onCancel: (action) => {
        state.action = action;
        if (state.isCancelled) action();
      },
    });
    this.#calls.delete(id);
    const packed = this.options.pack?.(outcome, request) ?? { value: outcome, transfer: [] };
    this.port.post({ packet: "answer", id, body: packed.value } satisfies Packet, packed.transfer);
  }
}
