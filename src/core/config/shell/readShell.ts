import type { TextSpan } from "../document/diagnostic.js";
import { changedBy } from "./arithmetic.js";
import { hasIndices, joined } from "./assignValue.js";
import { type Budget, countAlternatives, type Positional, WordExpander } from "./expandWord.js";
import { NestedPlaces } from "./nestedPlaces.js";
import { DECLARERS, parseShell } from "./parseShell.js";
import { type ExpandedWord, MAX_ALTERNATIVES, Scope, type Value, type WordFacts } from "./scope.js";
import { readsScript } from "./shellInput.js";
import { joinedScript, Traps } from "./shellTraps.js";
import { placedNodes, unescaped } from "./substituted.js";
import type { Assignment, Node, Segment, Word } from "./syntax.js";
import { type TracedText, traceText } from "./tracedText.js";
import { WordBuilder } from "./wordBuilder.js";

/** A word that a program receives: its text, where each character is written, and what happened on the way. */
export interface ShellWord extends TracedText, WordFacts {
  /** `${x.y}` and the like: bash refuses the whole command. */
  readonly badSubstitutions: readonly TextSpan[];
  /** A part of it is written in a text that the shell reads twice: quoting there is not ours to rewrite. */
  readonly isNested?: true;
}

/** One simple command with the words that it receives, the name of the program first. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** From the first word to the last, without redirections behind it. */
  readonly span: TextSpan;
}

/** What an assignment puts into a variable; a scalar is split as an unquoted use would. */
export interface ShellAssignment {
  readonly name: string;
  readonly nameSpan: TextSpan;
  readonly words: readonly ShellWord[];
}

/** A script as far as it can be followed without running it. */
export interface ShellReading {
  readonly commands: readonly ShellCommand[];
  /** Read on demand: the words of every assignment, in the order of execution. */
  assignments(): readonly ShellAssignment[];
}

/** In a function these make a variable of its own. */
const LOCAL_DECLARERS = new Set(["local", "declare", "typeset"]);
const MAX_STEPS = 400_000;
const MAX_CALL_DEPTH = 6;
const MAX_CALLS = 64;
/** Deeper `eval`, `$( … )` and scripts in here-documents are not followed. */
const MAX_NESTING = 6;
/** What a character costs that the shell reads once more. */
const NESTED_COST = 4;

/**
 * Follows a bash script: variables, arrays, quotes, braces and word splitting are computed, every branch is taken (a
 * variable assigned in several keeps its alternatives), loops run once, functions run where they are called. What only
 * a run can tell becomes `UNKNOWN_MARK`. Globs stay as written. What `eval`, traps, `$( … )` and shells fed by here-documents run is
 * read where it runs. Only the text from `start` to `end` is read.
 * Never throws, always ends: text, steps, calls and nesting are bounded.
 */
export function readShell(text: string, start = 0, end = text.length): ShellReading {
  const run = new ShellRun(end - start, end);
  const frame = { scope: new Scope(), positional: undefined, callDepth: 0, nesting: 0 };
  run.nodes(parseShell(text.slice(0, end), start), frame);
  run.trapped(frame);
  run.uncalledFunctions();
  return { commands: run.commands, assignments: () => run.assigned.map((each) => traceAssignment(each, run.places)) };
}

interface Frame {
  readonly scope: Scope;
  positional: Positional;
  readonly callDepth: number;
  readonly nesting: number;
  /** In a function: what the variables that it declared held before. */
  readonly hidden?: Map<string, readonly Value[] | undefined>;
  /** Whether this runs depends on the run. */
  readonly isInBranch?: true;
}

interface FunctionBody {
  readonly body: readonly Node[];
  readonly scope: Scope;
  called: boolean;
}

interface Assigned {
  readonly assignment: Assignment;
  readonly value: Value;
}

class ShellRun {
  readonly commands: ShellCommand[] = [];
  readonly assigned: Assigned[] = [];
  private readonly functions = new Map<string, FunctionBody>();
  private readonly budget: Budget;
  private stepsLeft = MAX_STEPS;
  private callsLeft = MAX_CALLS;
  private traps = new Traps();
  readonly places: NestedPlaces;

  constructor(length: number, end: number) {
    this.budget = { charactersLeft: 400_000 + 16 * length };
    this.places = new NestedPlaces(end);
  }

  nodes(nodes: readonly Node[], frame: Frame): void {
    for (const node of nodes) {
      if (this.stepsLeft-- <= 0) return;
      this.node(node, frame);
    }
  }

  /** Functions that nothing in this text calls: their commands count all the same. */
  uncalledFunctions(): void {
    for (const { body, scope, called } of this.functions.values()) {
      if (called) continue;
      const frame = { scope: scope.child(), positional: undefined, callDepth: MAX_CALL_DEPTH, nesting: 0 };
      this.nodes(body, frame);
      this.trapped(frame);
    }
  }

  /** What traps run where a shell ends: that of its exit with the variables as they are then, others at a time that nobody knows. */
  trapped(frame: Frame): void {
    for (const { script, isOfExit } of this.traps.take()) {
      this.nested(script, isOfExit ? frame : { ...frame, scope: new Scope() });
    }
  }

  private node(node: Node, frame: Frame): void {
    switch (node.kind) {
      case "simple":
        this.simple(node, frame);
        break;
      case "group":
        if (node.subshell) this.subshell(node.body, { ...frame, scope: frame.scope.child() });
        else this.nodes(node.body, frame);
        break;
      case "choice":
        this.branches(node.branches, node.exhaustive, frame);
        break;
      case "loop":
        this.loop(node, frame);
        break;
      case "arithmetic":
        for (const name of node.changes) frame.scope.unset(name);
        break;
      case "function":
        this.functions.set(node.name, { body: node.body, scope: frame.scope, called: false });
    }
  }

  /** A shell of its own begins without traps and runs its own where it ends. */
  private subshell(body: readonly Node[], frame: Frame): void {
    const outer = this.traps;
    this.traps = new Traps();
    this.nodes(body, frame);
    this.trapped(frame);
    this.traps = outer;
  }

  private branches(branches: readonly (readonly Node[])[], exhaustive: boolean, frame: Frame): void {
    const children = branches.map((body) => {
      const scope = frame.scope.child();
      this.nodes(body, { ...frame, scope, isInBranch: true });
      return scope;
    });
    frame.scope.mergeBranches(children, exhaustive);
  }

  private loop(node: Node & { kind: "loop" }, frame: Frame): void {
    if (node.variable !== undefined) {
      const words = node.words.flatMap((word) => this.expand(word, frame));
      const values = words
        .slice(0, MAX_ALTERNATIVES)
        .map((word): Value => ({ kind: "scalar", pieces: word.pieces, assumesDefault: word.assumesDefault }));
      if (values.length > 0) frame.scope.set(node.variable, values);
      else frame.scope.unset(node.variable);
    }
    this.branches([node.body], false, frame);
  }

  /** The words of all alternatives. */
  private expand(word: Word, frame: Frame): readonly ExpandedWord[] {
    this.substituted(word.segments, frame);
    const count = countAlternatives(word, frame.scope);
    if (count === 1) return new WordExpander(frame.scope, frame.positional, this.budget, 0).words(word);
    const alternatives = Array.from({ length: count }, (_, i) =>
      new WordExpander(frame.scope, frame.positional, this.budget, i).words(word),
    );
    return distinctWords(alternatives);
  }

  private simple(node: Node & { kind: "simple" }, frame: Frame): void {
    const words = node.words.flatMap((word) => this.expand(word, frame));
    const name = words[0] === undefined ? "" : traceText(words[0].pieces).text;
    if (LOCAL_DECLARERS.has(name)) this.hide(node, words, frame);
    if (node.words.length === 0 || DECLARERS.has(name)) {
      for (const assignment of node.assignments) this.assign(assignment, frame);
    }
    if (words.length === 0) return;
    this.commands.push({
      words: words.map((word) => traceWord(word, this.places)),
      span: this.places.spanOf(node.span),
    });
    const isHandedOn = (name === "builtin" || name === "command") && words[1] !== undefined;
    if (isHandedOn) this.effects(traceText(words[1]?.pieces ?? []).text, words.slice(2), frame, false);
    else this.effects(name, words.slice(1), frame, true);
    if (node.input?.word !== undefined) this.fed(node.input.word, words, node.output, frame);
  }

  /** The commands whose output stands in a word. */
  private substituted(segments: readonly Segment[], frame: Frame): void {
    for (const segment of segments) {
      if (segment.kind === "parameter") this.substituted(segment.operand, frame);
      if (segment.kind !== "unknown" || segment.commands === undefined) continue;
      const { commands } = segment;
      const own = { ...frame, scope: frame.scope.child() };
      if (commands.escapable !== undefined) this.nested(unescaped(commands), own, true);
      else this.inner(() => placedNodes(commands), commands.text.length, own, true);
    }
  }

  /** What a command reads, where it runs that. Its shell inherits what is exported, which is not followed. */
  private fed(input: Word, words: readonly ExpandedWord[], output: Word | undefined, frame: Frame): void {
    const target = output === undefined ? undefined : this.expander(frame).words(output)[0];
    if (!readsScript(words.map(textOf), target && textOf(target))) return;
    const script = this.expander(frame).scalar(input);
    const own = { ...frame, scope: new Scope(), positional: undefined };
    if (script.kind === "scalar") this.nested(script.pieces, own, true);
  }

  private expander({ scope, positional }: Frame): WordExpander {
    return new WordExpander(scope, positional, this.budget, 0);
  }

  /** What a function declares is its own: what the name held before comes back when the function ends. */
  private hide(node: Node & { kind: "simple" }, words: readonly ExpandedWord[], { scope, hidden }: Frame): void {
    const bare = words.slice(1).map((word) => traceText(word.pieces).text);
    if (hidden === undefined || bare.some((word) => /^-\w*g/.test(word))) return;
    const names = bare.filter((word) => /^[A-Za-z_]\w*$/.test(word));
    for (const name of [...names, ...node.assignments.map((assignment) => assignment.name)]) {
      if (!hidden.has(name)) hidden.set(name, scope.get(name));
    }
    for (const name of names) scope.unset(name);
  }

  /** What a command does to variables, calls of functions, and what the shell reads again. */
  private effects(name: string, args: readonly ExpandedWord[], frame: Frame, mayBeFunction: boolean): void {
    const called = mayBeFunction ? this.functions.get(name) : undefined;
    if (called !== undefined) {
      this.call(called, args, frame);
    } else if (name === "unset" || name === "read" || name === "mapfile" || name === "readarray") {
      for (const arg of args) frame.scope.unset(traceText(arg.pieces).text.replace(/\[.*/s, ""));
    } else if (name === "let") {
      for (const arg of args) for (const changed of changedBy(traceText(arg.pieces).text)) frame.scope.unset(changed);
    } else if (name === "eval") {
      this.nested(joinedScript(args[0] !== undefined && textOf(args[0]) === "--" ? args.slice(1) : args), frame);
    } else if (name === "trap") {
      this.traps.set(args, frame.isInBranch === true);
    } else if (name === "shift") {
      frame.positional = undefined;
    } else if (name === "set" && args[0] !== undefined && traceText(args[0].pieces).text === "--") {
      frame.positional = args.slice(1);
    }
  }

  /** Reads a text as commands of this shell, or of one of its own. */
  private nested(script: ExpandedWord["pieces"], frame: Frame, isOwnShell = false): void {
    const traced = placedText(traceText(script), this.places);
    this.inner(() => this.places.parse(traced), NESTED_COST * traced.text.length, frame, isOwnShell);
  }

  private inner(parse: () => readonly Node[], cost: number, frame: Frame, isOwnShell: boolean): void {
    this.budget.charactersLeft -= cost;
    if (frame.nesting >= MAX_NESTING || this.budget.charactersLeft < 0) return;
    const deeper = { ...frame, nesting: frame.nesting + 1 };
    if (isOwnShell) this.subshell(parse(), deeper);
    else this.nodes(parse(), deeper);
  }

  private call(called: FunctionBody, args: readonly ExpandedWord[], frame: Frame): void {
    if (frame.callDepth >= MAX_CALL_DEPTH || this.callsLeft-- <= 0) return;
    called.called = true;
    const hidden = new Map<string, readonly Value[] | undefined>();
    const { scope, nesting } = frame;
    this.nodes(called.body, { scope, positional: args, callDepth: frame.callDepth + 1, nesting, hidden });
    for (const [name, before] of hidden) frame.scope.set(name, before ?? []);
  }

  private assign(assignment: Assignment, frame: Frame): void {
    const { name, value, subscript, appends } = assignment;
    const before = frame.scope.get(name) ?? [];
    const words = value.kind === "scalar" ? [value.word] : value.words;
    for (const word of words) this.substituted(word.segments, frame);
    const own = words.reduce((most, word) => Math.max(most, countAlternatives(word, frame.scope)), 1);
    const keeps = appends || subscript !== undefined;
    const count = Math.min(Math.max(own, keeps ? before.length : 1), MAX_ALTERNATIVES);
    const values = Array.from({ length: count }, (_, i) => {
      const expander = new WordExpander(frame.scope, frame.positional, this.budget, i);
      const made: Value =
        value.kind === "scalar"
          ? expander.scalar(value.word)
          : { kind: "array", words: value.words.flatMap((word) => expander.words(word, "word")) };
      this.assigned.push({ assignment, value: made });
      return keeps ? joined(before[Math.min(i, before.length - 1)], made, subscript !== undefined, assignment) : made;
    });
    if (hasIndices(assignment)) frame.scope.unset(name);
    else frame.scope.set(name, values);
  }
}

/** Alternatives that give the same word count once; the others are numbered. */
function distinctWords(alternatives: readonly (readonly ExpandedWord[])[]): readonly ExpandedWord[] {
  const seen = new Set<string>();
  return alternatives.flatMap((words, alternative) =>
    words.flatMap((word) => {
      const traced = traceText(word.pieces);
      const identity = `${traced.starts[0]}:${traced.starts.at(-1)}:${traced.text}`;
      if (seen.has(identity)) return [];
      seen.add(identity);
      return [{ alternative, ...word }];
    }),
  );
}

function textOf(word: ExpandedWord): string {
  return traceText(word.pieces).text;
}

/** The text of a word with its places in the script. */
export function traceWord(word: ExpandedWord, places?: NestedPlaces): ShellWord {
  const { pieces, ...facts } = word;
  const badSubstitutions = pieces.flatMap((piece) =>
    piece.kind === "bad" ? [{ start: piece.start, end: piece.end }] : [],
  );
  const traced: ShellWord = { ...traceText(pieces), ...facts, badSubstitutions };
  const isNested = places !== undefined && [word.span, ...pieces].some(({ start }) => places.isNested(start));
  return isNested ? placedWord(traced, places) : traced;
}

function placedWord(word: ShellWord, places: NestedPlaces): ShellWord {
  const { splitFrom, braces } = word;
  return {
    ...word,
    ...placedText(word, places),
    span: places.spanOf(word.span),
    badSubstitutions: word.badSubstitutions.map((span) => places.spanOf(span)),
    ...(splitFrom && { splitFrom: { ...splitFrom, span: places.spanOf(splitFrom.span) } }),
    ...(braces && { braces: places.spanOf(braces) }),
    isNested: true,
  };
}

function placedText(traced: TracedText, places: NestedPlaces): TracedText {
  return {
    text: traced.text,
    starts: traced.starts.map((start) => places.startOf(start)),
    ends: traced.ends.map((end) => places.endOf(end)),
    quoting: traced.quoting,
    removedQuotes: traced.removedQuotes.map((quote) => ({ ...quote, span: places.spanOf(quote.span) })),
  };
}

function traceAssignment({ assignment, value }: Assigned, places: NestedPlaces): ShellAssignment {
  const { name, nameSpan } = assignment;
  const words = value.kind === "array" ? value.words : splitScalar(value, { name, span: nameSpan });
  return { name, nameSpan: places.spanOf(nameSpan), words: words.map((word) => traceWord(word, places)) };
}

function splitScalar(value: Value & { kind: "scalar" }, use: NonNullable<WordFacts["splitFrom"]>): ExpandedWord[] {
  const builder = new WordBuilder(use.span, undefined);
  builder.assumesDefault = value.assumesDefault;
  builder.addSplit(value.pieces, use);
  return builder.finish();
}
