import type { TerminalAnswer, Typist } from "../../launch/agent-terminal.ts";
import { cancelLine, isObject, type JsonObject, requestLine } from "@signalbox/protocol/wire";
import type { RegisteredHooks } from "./hook-settings.ts";
import { OpenCalls } from "./open-calls.ts";
import type { ScreenFacts } from "./read-screen.ts";
import { systemTimers, type Timers } from "./timers.ts";

/** How long it is waited for the transcript to show the call that a request is about. */
const CALL_WAIT_MS = 1000;
const CALL_LOOK_MS = 50;
/** A dialog is gone if the screen shows none for this long. */
const GONE_AFTER_MS = 700;

interface Waiting {
  readonly kind: "permission" | "hook";
  readonly tool: string;
  readonly callId: string | undefined;
  readonly answer: (value: JsonObject) => void;
  /** Whether the screen has shown a dialog since. */
  wasShown: boolean;
  typist: Typist | undefined;
}

interface TerminalRequestsOptions {
  readonly sendLine: (line: string) => void;
  /** Passes on what a person answered in the terminal. */
  readonly onAnswered: (answer: TerminalAnswer) => void;
  /** The number of requests for a person has changed. */
  readonly onCount: (count: number) => void;
  /** A call of this tool ran although its request was withdrawn before anybody had answered it. */
  readonly onUnanswered: (tool: string) => void;
  /** Reads what is new in the transcript. */
  readonly readTranscript: () => void;
  readonly timers?: Timers;
}

/**
 * What the agent's hooks ask of the host. A `PermissionRequest` hook is called while the terminal
 * shows the dialog: the first answer counts, the host's or that of a person at the terminal.
 */
export class TerminalRequests {
  readonly #options: TerminalRequestsOptions;
  readonly #timers: Timers;
  readonly #waiting = new Map<string, Waiting>();
  readonly #calls = new OpenCalls();
  /** The tools of calls whose requests were withdrawn and that have no result yet, by the id of the call. */
  readonly #withdrawn = new Map<string, string>();
  #cancelGone: (() => void) | undefined;

  constructor(options: TerminalRequestsOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
  }

  get count(): number {
    return this.#permissions.length;
  }

  get #permissions(): [string, Waiting][] {
    return [...this.#waiting].filter(([, { kind }]) => kind === "permission");
  }

  /** Asks the host about a permission that the terminal shows. */
  async askPermission(input: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const tool = String(input["tool_name"]);
    const callId = await this.#findCall(tool, input["tool_input"], signal);
    const { permission_suggestions, agent_id } = input;
    const request = {
      subtype: "can_use_tool",
      tool_name: tool,
      input: isObject(input["tool_input"]) ? input["tool_input"] : {},
      ...(Array.isArray(permission_suggestions) && { permission_suggestions }),
      ...(callId !== undefined && { tool_use_id: callId }),
      ...(typeof agent_id === "string" && { agent_id }),
    };
    const decision = await this.#ask("permission", request, { tool, callId }, signal);
    if (decision === undefined) return {};
    return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
  }

  /** Calls the hooks that the host has registered for this input. The first output counts. */
  async callHooks(
    hooks: RegisteredHooks,
    input: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    for (const callback_id of hooks.find(input)) {
      const { tool_use_id } = input;
      const request = {
        subtype: "hook_callback",
        callback_id,
        input,
        ...(typeof tool_use_id === "string" && { tool_use_id }),
      };
      const output = await this.#ask("hook", request, { tool: "", callId: undefined }, signal);
      if (output && Object.keys(output).length > 0) return output;
    }
    return {};
  }

  /** The host has answered. An answer that comes too late is ignored. */
  onHostAnswer(requestId: string, value: JsonObject): void {
    this.#settle(requestId)?.answer(value);
  }

  /** A line of the transcript: a result shows that its call no longer waits. */
  onMessage(message: JsonObject): void {
    for (const { callId, isRefused } of this.#calls.onMessage(message)) {
      const found = this.#permissions.find(([, waiting]) => waiting.callId === callId);
      if (found) this.#closeAnswered(found[0], isRefused ? "deny" : "allow");
      const tool = this.#withdrawn.get(callId);
      this.#withdrawn.delete(callId);
      if (tool !== undefined && !isRefused) this.#options.onUnanswered(tool);
    }
  }

  onScreen({ isAsking }: ScreenFacts): void {
    const open = this.#permissions;
    if (isAsking) {
      for (const [, waiting] of open) waiting.wasShown = true;
      this.#cancelGone?.();
      this.#cancelGone = undefined;
    } else if (open.some(([, { wasShown }]) => wasShown)) {
      this.#cancelGone ??= this.#timers.after(GONE_AFTER_MS, () => {
        this.#cancelGone = undefined;
        for (const [id, { wasShown }] of this.#permissions) {
          if (wasShown) this.#closeAnswered(id, "allow");
        }
      });
    }
  }

  onTyped(by: Typist): void {
    for (const [, waiting] of this.#waiting) waiting.typist = by;
  }

  /** The program has ended. */
  end(): void {
    this.#cancelGone?.();
    for (const id of this.#waiting.keys()) this.#withdraw(id);
  }

  /** Undefined if the request was closed without an answer of the host. */
  #ask(
    kind: Waiting["kind"],
    request: object,
    { tool, callId }: Pick<Waiting, "tool" | "callId">,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const id = `terminal-${crypto.randomUUID()}`;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const onAbort = () => {
        resolve(undefined);
        if (kind === "permission") this.#closeAnswered(id, "deny");
        else this.#withdraw(id);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const answer = (value: JsonObject) => {
        signal.removeEventListener("abort", onAbort);
        resolve(value);
      };
      this.#waiting.set(id, { kind, tool, callId, answer, wasShown: false, typist: undefined });
      this.#options.sendLine(requestLine(id, request));
      this.#report(kind);
    });
  }

  /** The transcript has the call before its dialog is shown, but it is read a little later. */
  async #findCall(tool: string, input: unknown, signal: AbortSignal): Promise<string | undefined> {
    for (let waited = 0; !signal.aborted; waited += CALL_LOOK_MS) {
      const taken = new Set(this.#permissions.map(([, { callId }]) => callId));
      const found = this.#calls.find(tool, input, taken);
      if (found !== undefined || waited >= CALL_WAIT_MS) return found;
      this.#options.readTranscript();
      await new Promise<void>((resolve) => void this.#timers.after(CALL_LOOK_MS, resolve));
    }
    return undefined;
  }

  /** The request was answered in the terminal, if anybody typed there; otherwise it is withdrawn. */
  #closeAnswered(requestId: string, behavior: TerminalAnswer["behavior"]): void {
    const by = this.#waiting.get(requestId)?.typist;
    if (!by) return this.#withdraw(requestId);
    if (this.#settle(requestId)) this.#options.onAnswered({ requestId, behavior, by });
  }

  #withdraw(requestId: string): void {
    const waiting = this.#settle(requestId);
    if (!waiting) return;
    const { kind, tool, callId } = waiting;
    if (kind === "permission" && callId !== undefined) this.#withdrawn.set(callId, tool);
    this.#options.sendLine(cancelLine(requestId));
  }

  #settle(requestId: string): Waiting | undefined {
    const waiting = this.#waiting.get(requestId);
    if (!this.#waiting.delete(requestId) || !waiting) return undefined;
    this.#report(waiting.kind);
    return waiting;
  }

  #report(kind: Waiting["kind"]): void {
    if (kind === "permission") this.#options.onCount(this.count);
  }
}
