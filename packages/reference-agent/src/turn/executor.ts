import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { DeferredCall } from "@signalbox/agent";
import type { ApiBlock } from "../model/conversation.ts";
import { toolNamed } from "../tool-names.ts";
import { runCall } from "./call.ts";
import { type CallOutcome, createNotBegun } from "./call-outcome.ts";
import { inputProblem } from "./input-problem.ts";
import type { Thread } from "./thread.ts";

interface Job {
  readonly use: ApiBlock;
  readonly sideBySide: boolean;
  state: "waiting" | "running" | "done" | "told";
  called?: CallOutcome;
  hasAsked?: boolean;
}

const readers = new Set(["Read", "Glob", "Grep"]);
const isWaiting = ({ state }: Job): boolean => state === "waiting";
const runsAlone = ({ state, sideBySide }: Job): boolean => state === "running" && !sideBySide;
const isDone = ({ state }: Job): boolean => state === "done";

/**
 * More event loop rounds than a call needs that is refused without a lookup, so that it is reported
 * before the next one.
 */
const TICKS = 16;
/** The most event loop rounds that a call may take before it asks or begins. */
const STEPS = 4;
/** The same for a call that requires a question after a lookup of a file. */
const STEPS_TO_ASK = 200;
const step = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Runs the calls of one answer as they arrive: reading calls in parallel, others one at a time and
 * in order. Results are reported as they become available.
 */
export class Executor {
  readonly #thread: Thread;
  readonly #jobs: Job[] = [];
  readonly #running = new Set<Promise<void>>();
  #waitsForRelease: boolean;
  #flushing = false;
  #endedSince = 0;
  #isHolding = false;
  /** Who ended the turn. If it was a hook, the other calls of the answer still run. */
  stopped: "person" | "hook" | undefined;
  structuredOutput: { value: unknown } | undefined;
  /** The last call that a hook deferred. */
  deferred: DeferredCall | undefined;

  /** With `held`, nothing runs before `release`. */
  constructor(thread: Thread, waitsForRelease: boolean) {
    this.#thread = thread;
    this.#waitsForRelease = waitsForRelease;
  }

  get count(): number {
    return this.#jobs.length;
  }

  /**
   * Whether the last call only reads without a question. Claude Code 2.1.325 has the result of such
   * a call before it knows why the answer stopped: if that answer has spent the budget, the turn's
   * end has no stop reason.
   */
  get lastReadsAtOnce(): boolean {
    const { session } = this.#thread;
    const use = this.#jobs.at(-1)?.use;
    const tool = use && toolNamed(this.#thread.tools(), use["name"]);
    if (!tool || !readers.has(tool.name)) return false;
    const input = isObject(use["input"]) ? use["input"] : {};
    if (inputProblem(tool, input) !== undefined) return false;
    const isAsked = tool.beginsAtOnce?.(input, session) === "asks";
    return !isAsked && tool.forbid?.(input, session) === undefined;
  }

  /** The calls and their results, for hooks. */
  get calls(): JsonObject[] {
    return this.#jobs.map(({ use: { id, name, input }, called }) => ({
      tool_name: name,
      tool_input: input,
      tool_use_id: id,
      tool_response: called?.block?.["content"],
    }));
  }

  /**
   * Adds a call. Resolves when it had time to begin: if nothing has to be looked up, before the
   * next one is reported.
   */
  async add(use: ApiBlock): Promise<void> {
    const tool = toolNamed(this.#thread.tools(), use["name"]);
    const input = isObject(use["input"]) ? use["input"] : {};
    const fits = tool !== undefined && inputProblem(tool, input) === undefined;
    const sideBySide = tool === undefined || (fits && (tool.sideBySide?.(input) ?? false));
    const job: Job = { use, sideBySide, state: "waiting" };
    this.#jobs.push(job);
    if (!tool && this.#mayRun) this.#start(job); // There is nothing to wait for.
    this.#next();
    for (let at = 0; at < TICKS && job.state === "running"; at++) await Promise.resolve();
    if (isDone(job)) return void this.#tell();
    const begins = !isWaiting(job) && tool?.beginsAtOnce?.(input, this.#thread.session);
    if (!begins) return;
    for (let at = 0; at < STEPS; at++) await step();
    if (begins !== "asks") return;
    for (let at = STEPS; at < STEPS_TO_ASK && !job.hasAsked && !isDone(job); at++) await step();
  }

  release(): void {
    this.#waitsForRelease = false;
    this.#next();
  }

  /** Resolves when every call has its result, perhaps one because of an interrupt. */
  async finish(): Promise<void> {
    this.release();
    while (this.#running.size > 0) await Promise.race(this.#running);
    for (const job of this.#jobs) {
      if (job.state !== "waiting") continue;
      job.called = createNotBegun(this.#thread, String(job.use["id"]));
      job.state = "done";
    }
    this.#tell();
  }

  #next(): void {
    if (!this.#mayRun) return;
    for (const job of this.#jobs) {
      if (job.state !== "waiting") continue;
      const running = this.#jobs.filter(({ state }) => state === "running");
      const free =
        running.length === 0 || (job.sideBySide && running.every((one) => one.sideBySide));
      if (!free) return;
      this.#start(job);
    }
  }

  get #mayRun(): boolean {
    return !this.#waitsForRelease && !this.#thread.signal.aborted && this.stopped !== "person";
  }

  #start(job: Job): void {
    job.state = "running";
    const work = this.#run(job).finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  async #run(job: Job): Promise<void> {
    const called = await runCall(this.#thread, job.use, () => {
      job.hasAsked = true;
      this.#tellHeld();
    });
    job.called = called;
    job.state = "done";
    if (this.stopped !== "person") this.stopped = called.stopped ?? this.stopped;
    this.deferred = called.deferred ?? this.deferred;
    if (called.output?.endsTurn)
      this.structuredOutput = { value: called.output.endsTurn.structuredOutput };
    if (!this.#jobs.some(runsAlone)) this.#tellSoon();
    this.#next();
  }

  /**
   * Reports the results that are available at the same time in the order of the calls. Results that
   * waited for one of them follow a moment later, after the next call has asked.
   */
  #tellSoon(): void {
    this.#endedSince++;
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#isHolding = this.#tell(this.#endedSince) === "held";
      this.#endedSince = 0;
      if (this.#isHolding) setImmediate(() => this.#tellHeld());
    });
  }

  #tellHeld(): void {
    if (this.#isHolding) this.#tell();
    this.#isHolding = false;
  }

  /** Reports results. What came after a call that runs alone is reported after it. */
  #tell(most = Infinity): "all" | "held" {
    let reportedCount = 0;
    for (const job of this.#jobs) {
      if (runsAlone(job)) return "all";
      if (job.state !== "done" || !job.called) continue;
      if (reportedCount++ === most) return "held";
      job.state = "told";
      const { messagesBefore = [], block, deferred, more, followUps, modelNotes } = job.called;
      for (const notice of messagesBefore) this.#thread.say(notice);
      if (block) this.#thread.sayUser([block], more);
      for (const text of followUps) {
        this.#thread.sayUser([{ type: "text", text }], { isSynthetic: true });
      }
      for (const text of modelNotes) this.#thread.addModelNote(text);
      if (deferred) this.#thread.keepDeferred(deferred);
      for (const notice of job.called.notices ?? []) this.#thread.say(notice);
      job.called.afterwards?.();
    }
    return "all";
  }
}
