import { errorMessage } from "@signalbox/protocol/text";
import { SignalboxError } from "@signalbox/protocol";
import type { TranscriptLine } from "@signalbox/protocol/transcript";
import {
  answerLine,
  cancelLine,
  isObject,
  type JsonObject,
  parseObject,
  refusalLine,
} from "@signalbox/protocol/wire";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentTerminal, TerminalAnswer, Typist } from "../../launch/agent-terminal.ts";
import type { Capabilities, RemarkFacts, Run, UnsupportedOption } from "../../launch/driver.ts";
import type { Launch } from "../../launch/launch.ts";
import { createRunEnd, type RunEnd } from "../../launch/run-end.ts";
import { type Pty, startPty } from "../../pty/pty.ts";
import { Terminal } from "../../pty/terminal.ts";
import { classifyExit } from "../stdio/exit.ts";
import { commandLine } from "../stdio/options.ts";
import type { Prepared } from "../stdio/prepare.ts";
import type { StdioOptions } from "../stdio/stdio.ts";
import type { HookChannel } from "./hook-channel.ts";
import { addHooks, createHookSettings, RegisteredHooks } from "./hook-settings.ts";
import { OutputQueue } from "./output-queue.ts";
import { Interrupter } from "./interrupter.ts";
import { PromptTypist } from "./prompt-typist.ts";
import { toTypedText } from "./prompt-text.ts";
import { readScreen, type ScreenFacts } from "./read-screen.ts";
import { type Activity, TerminalActivity } from "./terminal-activity.ts";
import { TerminalRequests } from "./terminal-requests.ts";
import { systemTimers } from "./timers.ts";
import { TranscriptFeed } from "./transcript-feed.ts";
import { TypedPrompts } from "./typed-prompts.ts";

const FIRST_SIZE = { cols: 120, rows: 36 };
/** How soon after output the screen is read. */
const READ_SCREEN_MS = 100;
const ESCAPE = "\u001b";

export class TerminalAgent implements Run {
  readonly driver = "pty";
  readonly capabilities: Capabilities;
  readonly agent: Run["agent"];
  readonly unsupportedOptions: readonly UnsupportedOption[];
  readonly isolation?: NonNullable<Run["isolation"]>;
  readonly supportedRequests: ReadonlySet<string> = new Set(["initialize", "interrupt"]);
  readonly folder: string;
  readonly terminal: AgentTerminal;
  readonly incoming: OutputQueue = new OutputQueue();
  readonly closed: Promise<RunEnd>;
  onRemark: Run["onRemark"];
  onAnswered: Run["onAnswered"];

  readonly #prepared: Prepared;
  readonly #launch: Launch;
  readonly #channel: HookChannel;
  readonly #graceMs: number | undefined;
  readonly #screen = new Terminal(FIRST_SIZE);
  readonly #transcript: TranscriptFeed;
  readonly #requests: TerminalRequests;
  readonly #activity: TerminalActivity;
  readonly #typist: PromptTypist;
  readonly #prompts = new TypedPrompts();
  readonly #interrupter = new Interrupter({
    press: () => this.#hasEnded || this.#screen.write(ESCAPE),
    isBusy: () => !this.#hasEnded && this.#activity.current.state !== "idle",
  });
  readonly #gone = new AbortController();
  #hooks = new RegisteredHooks(undefined);
  #pty: Pty | undefined;
  #startedAt = performance.now();
  #isReadingScreen = false;
  #isClosing = false;
  #settle!: (end: RunEnd) => void;

  constructor(
    prepared: Prepared,
    channel: HookChannel,
    capabilities: Capabilities,
    { graceMs }: StdioOptions,
  ) {
    const { launch, folder, env, agent, isolation } = prepared;
    const conversation = getConversation(launch);
    this.capabilities = capabilities;
    this.agent = agent;
    this.folder = folder;
    this.#prepared = prepared;
    this.#channel = channel;
    this.#graceMs = graceMs;
    this.#launch = { ...launch, ...(conversation.isNew && { sessionId: conversation.id }) };
    this.unsupportedOptions = commandLine(
      this.#launch,
      agent.version,
      "terminal",
    ).unsupportedOptions;
    if (isolation) this.isolation = isolation.state;
    this.closed = new Promise((resolve) => (this.#settle = resolve));
    this.#activity = new TerminalActivity({ onChange: (activity) => this.#onActivity(activity) });
    this.#requests = new TerminalRequests({
      sendLine: (line) => this.incoming.push(line),
      onAnswered: (answer) => this.#passOnAnswer(answer),
      onCount: (count) => this.#activity.onRequests(count),
      onUnanswered: (tool) => this.#remark(createUnansweredText(tool)),
      readTranscript: () => this.#transcript.lookNow(),
    });
    this.#transcript = new TranscriptFeed(folder, conversation.id, env, {
      onLines: (lines) => this.#onTranscript(lines),
      onTurn: (isInTurn) => this.#activity.onTurn(isInTurn, "transcript"),
      onChanged: (how) => this.#remark(`The transcript of the conversation was ${how}.`),
      onFailure: (failure) =>
        this.#remark(`The transcript cannot be read: ${errorMessage(failure)}`),
    });
    this.#typist = new PromptTypist({
      readScreen: () => this.#readScreen(),
      hasRequest: () => this.#requests.count > 0,
      wantsMarkedPastes: () => this.#screen.wantsMarkedPastes,
      write: (text) => this.#screen.write(text),
      onWaiting: (why) => this.#remark(waitingTexts[why]),
      signal: this.#gone.signal,
    });
    this.terminal = this.#createTerminal();
  }

  get stderr(): string {
    return this.#hasEnded ? this.#screen.visibleText() : "";
  }
  get pid(): number | undefined {
    return this.#pty?.pid;
  }
  get #hasEnded(): boolean {
    return this.#gone.signal.aborted;
  }

  readonly send = async (line: string): Promise<void> => {
    if (this.#hasEnded) {
      throw new SignalboxError("CONNECTION_CLOSED", { reason: await this.closed });
    }
    const message = parseObject(line);
    if (typeof message === "string") return;
    switch (message["type"]) {
      case "user":
        return this.#typePrompt(message);
      case "control_request":
        return this.#onRequest(message);
      case "control_response":
        return this.#onResponse(message);
      default:
        return; // nothing else has a meaning in the terminal
    }
  };

  readonly close = async (): Promise<void> => {
    this.#isClosing = true;
    if (this.#pty) await this.#pty.close();
    else if (!this.#hasEnded) this.#end(createRunEnd("stopped", { how: "its input was closed" }));
    await this.closed;
  };

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Answers a hook of the agent. */
  async onHook(input: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const event = input["hook_event_name"];
    this.#transcript.lookNow();
    switch (event) {
      case "SessionStart":
        this.#activity.onHook();
        this.#transcript.onPlace(input["transcript_path"]);
        break;
      case "UserPromptSubmit":
        this.#activity.onTurn(true, "hooks");
        break;
      case "PermissionRequest":
        this.#activity.onHook();
        return this.#requests.askPermission(input, signal);
      default:
        this.#activity.onHook();
    }
    const output = await this.#requests.callHooks(this.#hooks, input, signal);
    if (event === "Stop" && output["decision"] !== "block") {
      this.#activity.onTurn(false, "hooks");
      void this.#transcript.endTurn();
    }
    return output;
  }

  async #onRequest({ request_id: id, request }: JsonObject): Promise<void> {
    const requestId = String(id);
    const subtype = isObject(request) ? request["subtype"] : undefined;
    if (subtype === "initialize" && isObject(request)) return this.#start(requestId, request);
    if (subtype === "interrupt") {
      this.#interrupter.interrupt();
      return this.incoming.push(answerLine(requestId, {}));
    }
    const error = `Unsupported control request subtype: ${String(subtype)}`;
    return this.incoming.push(refusalLine(requestId, error, "unsupported_request"));
  }

  #onResponse({ response }: JsonObject): void {
    if (!isObject(response)) return;
    const { request_id: id, subtype, response: value } = response;
    const answer = subtype === "success" && isObject(value) ? value : {};
    this.#requests.onHostAnswer(String(id), answer);
  }

  /** The program starts when the host has said which hooks it needs. */
  async #start(requestId: string, request: JsonObject): Promise<void> {
    const { folder, env, found, agent, isolation, runId } = this.#prepared;
    this.#hooks = new RegisteredHooks(request["hooks"]);
    const isInside = isolation?.state.by === "bubblewrap";
    const hooks = createHookSettings(this.#hooks, agent.version, (isRequired) =>
      this.#channel.command(isInside, isRequired),
    );
    const { settings } = this.#launch;
    const launch = {
      ...this.#launch,
      settings: addHooks(typeof settings === "object" ? settings : undefined, hooks),
    };
    const { args } = commandLine(launch, agent.version, "terminal");
    const inner = {
      command: found.command,
      args: [...found.args, ...args],
      env: { ...env, TERM: "xterm-256color", COLORTERM: "truecolor" },
    };
    try {
      await this.#transcript.start(launch);
      const pty = await startPty({
        ...(isolation?.wrap(inner) ?? inner),
        folder,
        runId,
        size: this.#screen.size,
        onOutput: (bytes) => this.#onOutput(bytes),
        hasNamespace: isolation?.hasNamespace ?? false,
        ...(this.#graceMs !== undefined && { graceMs: this.#graceMs }),
      });
      this.#pty = pty;
      this.#screen.attach(pty);
      this.#startedAt = performance.now();
      void pty.exited.then((exit) => this.#onExit(exit));
      if (this.#isClosing) void pty.close();
      this.incoming.push(answerLine(requestId, { commands: [], models: [], agents: [] }));
    } catch (failure) {
      const why = errorMessage(failure);
      this.#end(createRunEnd("not-started", { path: found.path, why }));
    }
  }

  async #onExit({ code, signal }: { code: number | null; signal: string | null }): Promise<void> {
    this.#requests.end();
    this.#activity.stop();
    this.#gone.abort();
    await this.#transcript.end();
    const stderr = this.#screen.visibleText();
    const end = classifyExit({
      code,
      signal,
      stopReason: this.#isClosing ? "SIGTERM" : undefined,
      lifetimeMs: Math.round(performance.now() - this.#startedAt),
      launch: this.#launch,
      lastLines: [],
      stderr: code === 0 || this.#isClosing ? "" : stderr,
    });
    this.#end({ ...end, exit: { exitCode: code, signal } });
  }

  #end(end: RunEnd): void {
    this.#gone.abort();
    this.#channel[Symbol.dispose]();
    this.#prepared.isolation?.release();
    this.incoming.end();
    this.#settle(end);
  }

  async #typePrompt(message: JsonObject): Promise<void> {
    const uuid = String(message["uuid"]);
    const content = isObject(message["message"]) ? message["message"]["content"] : undefined;
    const typed = toTypedText(readText(content), this.#commandFolders);
    if ("refused" in typed) {
      this.#remark(typed.refused);
      this.incoming.push(...createEmptyTurn(uuid));
      return;
    }
    const { text } = typed;
    // The host goes on: the message waits here until the field for it is free.
    void this.#typist.type(text, () => this.#prompts.add(uuid, text)).catch(() => {});
  }

  /** Where commands of the person and of the folder are. */
  get #commandFolders(): readonly string[] {
    const { env, folder } = this.#prepared;
    const config = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude");
    return [config, join(folder, ".claude")];
  }

  #onTranscript(lines: readonly TranscriptLine[]): void {
    for (const { from, line } of lines) {
      const message = typeof line === "string" ? parseObject(line) : "not JSON";
      if (typeof message === "string") {
        this.incoming.push(line);
      } else if (from === "keeper") {
        const { text, rewoundTo } = message;
        this.#remark(String(text), {
          level: "info",
          ...((rewoundTo === null || typeof rewoundTo === "string") && { rewoundTo }),
        });
      } else if (message["type"] !== "transcript_entry") {
        this.#requests.onMessage(message); // an answer comes before the result that shows it
        this.incoming.push(JSON.stringify(this.#prompts.recognize(message)));
      }
    }
  }

  #onOutput(bytes: Uint8Array): void {
    this.#screen.onOutput(bytes);
    this.#activity.onOutput();
    if (this.#isReadingScreen) return;
    this.#isReadingScreen = true;
    systemTimers.after(READ_SCREEN_MS, () => {
      this.#isReadingScreen = false;
      if (this.#hasEnded) return;
      const facts = this.#readScreen();
      this.#requests.onScreen(facts);
      this.#activity.onScreen(facts);
    });
  }

  #readScreen(): ScreenFacts {
    const { version } = this.agent;
    return readScreen(this.#screen.visibleText(), version, this.#screen.brightText());
  }

  #onActivity({ state, source }: Activity): void {
    if (state === "idle") this.#interrupter.stop(); // the next turn is another one
    const line = {
      type: "system",
      subtype: "session_state_changed",
      state: wireStates[state],
      activity_source: source,
      uuid: crypto.randomUUID(),
      session_id: "",
    };
    this.incoming.push(JSON.stringify(line));
  }

  #passOnAnswer(answer: TerminalAnswer): void {
    this.incoming.push(() => {
      if (this.onAnswered?.(answer) !== true) this.incoming.push(cancelLine(answer.requestId));
    });
  }

  /** Tells a person something, after all lines that came before. */
  #remark(text: string, facts?: RemarkFacts): void {
    this.incoming.push(() => this.onRemark?.(text, facts));
  }

  #createTerminal(): AgentTerminal {
    const screen = this.#screen;
    return {
      instance: screen.instance,
      get epoch() {
        return screen.epoch;
      },
      get size() {
        return screen.size;
      },
      exited: screen.exited,
      follow: (listener) => screen.follow(listener),
      snapshot: () => screen.snapshot(),
      write: (text) => screen.write(text),
      resize: (size) => screen.resize(size),
      close: () => this.close(),
      dispose: () => screen.dispose(),
      onTyped: (by: Typist) => {
        this.#requests.onTyped(by);
        this.#prompts.onTyped();
      },
    };
  }
}

const waitingTexts = {
  dialog:
    "Your message waits, because a dialog is open in the terminal. Open the terminal and answer it.",
  draft:
    "Your message waits, because somebody has begun to write in the terminal. Send or remove what is there.",
};

function createUnansweredText(tool: string): string {
  return `${tool} ran although its request was withdrawn and nobody had answered it here: a hook of the settings has allowed it, or a program has ended the request and pressed a key in this terminal.`;
}

const wireStates = { active: "running", idle: "idle", asking: "requires_action" } as const;

/** The id of the conversation. A new one gets it from us, because its transcript is named after it. */
function getConversation({ resume, sessionId }: Launch): { id: string; isNew: boolean } {
  if (resume && resume.fork !== true) return { id: resume.id, isNew: false };
  return { id: sessionId ?? crypto.randomUUID(), isNew: true };
}

function readText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("\n");
}

/** What the program would print for a message that it ends at once. */
function createEmptyTurn(uuid: string): string[] {
  const lifecycle = { type: "command_lifecycle", command_uuid: uuid, state: "completed" };
  const result = { type: "result", subtype: "success", is_error: false, num_turns: 0 };
  return [lifecycle, { ...result, session_id: "", duration_ms: 0 }].map((message) =>
    JSON.stringify({ ...message, uuid: crypto.randomUUID() }),
  );
}
