import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { PassThrough } from "node:stream";
import { dirname, join } from "node:path";
import {
  type Options,
  query,
  type SDKMessage,
  type SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";
import { startModel } from "@signalbox/model";
import { filesUnder } from "./files.ts";
import type { Conversation, Stage, Story } from "./story.ts";
import { emptyEnvironment } from "../empty-environment.ts";
import { untilChange, within } from "@signalbox/testing/until";

/** A program that claims to be Claude Code. */
export interface Program {
  readonly name: string;
  readonly path: string;
}

/** Everything that can be observed from outside about how a program played a story. */
export interface Recording {
  /** Every line that the agent sent over the pipe, in all runs. */
  readonly wire: readonly unknown[];
  readonly yielded: readonly unknown[];
  readonly notes: readonly (readonly [string, unknown])[];
  /** The errors that the SDK threw, run by run. */
  readonly thrown: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly place: string;
}

export async function playStory(story: Story, program: Program): Promise<Recording> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-twin-")));
  const [home, folder] = [join(place, "home"), join(place, "work")];
  mkdirSync(home);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(story.files ?? {})) {
    const path = name.startsWith("home/") ? join(place, name) : join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const model = await startModel({ script: story.script ?? "" });
  const env = emptyEnvironment(home, model.url);
  const wire: unknown[] = [];
  const yielded: unknown[] = [];
  const thrown: string[] = [];
  const notes: [string, unknown][] = [];
  const opened: TwinSession[] = [];
  const stage: Stage = {
    folder,
    requests: model.requests,
    note: (what, value) => notes.push([what, value]),
    write: (name, text) => writeFileSync(join(folder, name), text),
    read: (name) => readFileSync(join(folder, name), "utf8"),
    exists: (name) => fileAppears(folder, name),
    open(options = {}) {
      const talk = new TwinSession({ program, folder, env, wire, yielded, thrown, notes }, options);
      opened.push(talk);
      return talk;
    },
  };
  try {
    await story.play(stage);
    for (const talk of opened) await talk.end();
    return { wire, yielded, notes, thrown, files: filesUnder(folder), place };
  } finally {
    for (const talk of opened) talk.kill();
    await model.close();
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

function fileAppears(folder: string, name: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, () => look());
    const look = () => {
      if (!existsSync(join(folder, name))) return;
      watcher.close();
      resolve();
    };
    look();
  });
}

interface TwinSessionParts {
  readonly program: Program;
  readonly folder: string;
  readonly env: Record<string, string | undefined>;
  readonly wire: unknown[];
  readonly yielded: unknown[];
  readonly thrown: string[];
  readonly notes: [string, unknown][];
}

/** The fields of a printed line that identify the line to wait for. */
interface Printed {
  readonly type: string;
  readonly subtype?: string;
  readonly state?: string;
  readonly event?: { readonly type: string };
  readonly request?: { readonly subtype: string };
}

class TwinSession implements Conversation {
  readonly query;
  readonly messages: SDKMessage[] = [];
  readonly #parts: TwinSessionParts;
  readonly #outbox: SDKUserMessage[] = [];
  readonly #reading: AsyncIterator<SDKMessage>;
  #wake: (() => void) | undefined;
  readonly #listeners = new Set<() => void>();
  #isOver = false;
  #isEnded = false;
  #kill = () => {};

  constructor(parts: TwinSessionParts, options: Partial<Options>) {
    this.#parts = parts;
    const { canUseTool, env, ...rest } = options;
    this.query = query({
      prompt: this.#prompts(),
      options: {
        cwd: parts.folder,
        pathToClaudeCodeExecutable: parts.program.path,
        settingSources: ["user", "project", "local"],
        ...rest,
        env: { ...parts.env, ...env },
        ...(canUseTool && { canUseTool: this.#noted(canUseTool) }),
        spawnClaudeCodeProcess: (wanted) => this.#spawn(wanted),
      },
    });
    this.#reading = this.query[Symbol.asyncIterator]();
  }

  /**
   * Notes what the SDK passes on about a permission. Together with the wire, that is everything.
   */
  #noted(canUseTool: NonNullable<Options["canUseTool"]>): NonNullable<Options["canUseTool"]> {
    return (tool, input, { signal, ...more }) => {
      this.#parts.notes.push(["canUseTool", { tool, input, ...more }]);
      return canUseTool(tool, input, { signal, ...more });
    };
  }

  #spawn({
    command,
    args,
    cwd,
    env,
    signal,
  }: Parameters<NonNullable<Options["spawnClaudeCodeProcess"]>>[0]) {
    const program = command === "bun" ? process.execPath : command;
    const child = spawn(program, args, { cwd, env, signal, stdio: ["pipe", "pipe", "pipe"] });
    let rest = "";
    // The SDK reads from a copy, so that data it has not read yet does not delay the recording.
    const stdout = new PassThrough();
    child.stdout.setEncoding("utf8");
    child.stdout.on("end", () => stdout.end());
    child.stdout.on("data", (text: string) => {
      stdout.write(text);
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#parts.wire.push(JSON.parse(line));
      for (const listener of this.#listeners) listener();
    });
    let errors = "";
    child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()));
    child.on("exit", () => {
      // After this text Claude Code prints a part of its own source.
      const said = errors.replace(/(Error in hook callback \S+:)[^]*/, "$1 …");
      if (said !== "") this.#parts.notes.push(["stderr", said]);
    });
    child.on("error", () => {}); // The process was aborted, which the SDK reports.
    this.#kill = () => child.kill("SIGKILL");
    return {
      stdin: child.stdin,
      stdout,
      get killed() {
        return child.killed;
      },
      get exitCode() {
        return child.exitCode;
      },
      kill: (signal: NodeJS.Signals) => child.kill(signal),
      on: child.on.bind(child),
      once: child.once.bind(child),
      off: child.off.bind(child),
    };
  }

  async *#prompts(): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const next = this.#outbox.shift();
      if (next) yield next;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  say(prompt: string | Partial<SDKUserMessage>): string {
    const uuid = crypto.randomUUID();
    const given = typeof prompt === "string" ? {} : prompt;
    const content = typeof prompt === "string" ? prompt : "";
    const message: SDKUserMessage = {
      type: "user",
      message: { role: "user", content },
      parent_tool_use_id: null,
      session_id: "",
      uuid,
      ...given,
    };
    this.#outbox.push(message);
    this.#wake?.();
    return message.uuid ?? "";
  }

  async until(fits: (message: SDKMessage) => boolean): Promise<SDKMessage> {
    for (;;) {
      const message = await within(`a message comes for which ${fits.toString()}`, this.#next());
      if (!message) throw new Error(`the program left: ${this.#parts.thrown.join("; ")}`);
      if (fits(message)) return message;
    }
  }

  async #next(): Promise<SDKMessage | undefined> {
    try {
      const step = await this.#reading.next();
      if (step.done) return undefined;
      this.#parts.yielded.push(step.value);
      this.messages.push(step.value);
      return step.value;
    } catch (failure) {
      this.#parts.thrown.push(String(failure));
      return undefined;
    }
  }

  result(): Promise<SDKMessage> {
    return this.until((message) => message.type === "result");
  }

  lifecycle(state: string, times: number): Promise<void> {
    return this.#printed(times, (row) => row.type === "command_lifecycle" && row.state === state);
  }

  idle(times: number): Promise<void> {
    const isIdle = ({ subtype, state }: Printed) =>
      subtype === "session_state_changed" && state === "idle";
    return this.#printed(times, isIdle);
  }

  answered(): Promise<void> {
    return this.#printed(1, ({ event }) => event?.type === "message_stop");
  }

  said(type: string, times: number): Promise<void> {
    return this.#printed(times, (row) => row.type === type);
  }

  asked(subtype: string, times: number): Promise<void> {
    return this.#printed(times, ({ request }) => request?.subtype === subtype);
  }

  async #printed(times: number, isIt: (row: Printed) => boolean): Promise<void> {
    const { wire } = this.#parts;
    const source = {
      subscribe: (listener: () => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
    await untilChange(
      `the program prints ${times} lines for which ${isIt.toString()}`,
      source,
      () => wire.filter((row) => isIt(row as Printed)).length >= times,
      { seen: () => wire.slice(-3) },
    );
  }

  turn(prompt: string): Promise<SDKMessage> {
    this.say(prompt);
    return this.result();
  }

  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#isOver = true;
    this.#wake?.();
    while (await within("the program ends", this.#next()));
  }

  kill(): void {
    this.#kill();
  }
}
