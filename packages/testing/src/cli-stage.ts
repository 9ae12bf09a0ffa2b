import { signalboxLauncher, signalboxMain } from "./programs.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startModel } from "@signalbox/model";
import { bundledAgent } from "@signalbox/host/agents";
import { markedProcesses } from "@signalbox/host/agents";
import { until } from "./until.ts";

export interface Started {
  /** By the launcher for Node, instead of straight on Bun. */
  readonly onNode?: boolean;
  readonly stdin?: string;
  /** The command of another version of the program: its `main.ts`. */
  readonly main?: string;
  /** More in its environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A home, a folder and a scripted model of one's own (its script too), and the command run among them. */
export async function openStage(script?: string) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-cli-")));
  const [home, folder, temporary] = [join(place, "home"), join(place, "work"), join(place, "tmp")];
  for (const path of [home, folder, temporary]) mkdirSync(path);
  const model = await startModel(script === undefined ? {} : { script });
  // From empty: nothing of this machine's account or settings gets in.
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  const here = ["--agent", bundledAgent() ?? "", "--folder", folder];
  const command = (args: string[], onNode = false, program = signalboxMain) =>
    onNode ? ["node", signalboxLauncher, ...args] : [process.execPath, program, ...args];
  const terminals: Bun.Terminal[] = [];

  function start(args: string[], started: Started = {}) {
    const { onNode = false, stdin, environment } = started;
    return Bun.spawn(command(args, onNode, started.main), {
      cwd: folder,
      env: { ...env, ...environment },
      stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  /** Another program among them, with more in its environment. */
  function startProgram(argv: string[], more: Record<string, string>, stdin?: string) {
    return Bun.spawn(argv, {
      cwd: folder,
      env: { ...env, ...more },
      stdio: [stdin === undefined ? "ignore" : new Blob([stdin]), "ignore", "inherit"],
    });
  }

  /** A program that has these descriptors as its third and on. */
  function startWith(argv: string[], descriptors: readonly number[]) {
    const stdio: ("ignore" | "pipe" | number)[] = ["ignore", "pipe", "ignore", ...descriptors];
    const child = spawn(argv[0] ?? "", argv.slice(1), { cwd: folder, env, stdio });
    const exited = once(child, "exit").then(([code]) => code as number | null);
    const spoke = new Promise<void>((resolve) => void child.stdout?.once("data", () => resolve()));
    const kill = (signal: NodeJS.Signals) => child.kill(signal);
    return { pid: child.pid ?? 0, exited, spoke, kill };
  }

  /** Runs the command to its end, with no terminal. */
  async function signalbox(args: string[], started: Started = {}) {
    const child = start(args, started);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { exit: await child.exited, stdout, stderr };
  }

  /** Starts the command on a terminal of its own. */
  function onTerminal(args: string[], { columns = 100, onNode = false } = {}) {
    const terminal = new TerminalWatch(columns);
    terminals.push(terminal.pty);
    const child = Bun.spawn(command(args, onNode), {
      cwd: folder,
      env: { ...env, TERM: "xterm-256color" },
      terminal: terminal.pty,
    });
    void child.exited.then(() => terminal.end()).catch(() => {}); // the stage may close it first
    return { terminal, child, exited: child.exited };
  }

  return {
    folder,
    home,
    model,
    start,
    command,
    startProgram,
    startWith,
    signalbox,
    onTerminal,
    /** `signalbox run` in this folder with the bundled Claude Code and this stage's model. */
    run: (args: string[], started?: Started) => signalbox(["run", ...here, ...args], started),
    runOnTerminal: (args: string[], how?: { columns?: number; onNode?: boolean }) =>
      onTerminal(["run", ...here, ...args], how),
    here,
    at: (name: string) => join(folder, name),
    has: (name: string) => existsSync(join(folder, name)),
    /** What is left in the folder for temporary files, of ours. */
    leftovers: () => readdirSync(temporary).filter((name) => name.startsWith("signalbox-")),
    /** Every process that was started here and still lives. */
    processes: () => markedProcesses(`TMPDIR=${temporary}`),
    async [Symbol.asyncDispose]() {
      for (const terminal of terminals) terminal.close();
      await model.close();
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A terminal that a test reads and types on. */
class TerminalWatch {
  readonly pty: Bun.Terminal;
  #raw = "";
  #read = 0;
  #over = false;

  constructor(columns: number) {
    const decoder = new TextDecoder();
    this.pty = new Bun.Terminal({
      cols: columns,
      rows: 50,
      data: (_terminal, data) => {
        this.#raw += decoder.decode(data, { stream: true });
      },
    });
  }

  /** All that was written so far, without colours and cursor movements. */
  get text(): string {
    return Bun.stripANSI(this.#raw).replaceAll("\r", "");
  }

  get raw(): string {
    return this.#raw;
  }

  /** Waits until this is written, after what was waited for before. Gives what came up to it. */
  async until(what: string): Promise<string> {
    const end = await until(
      `the terminal shows ${JSON.stringify(what)}`,
      () => {
        const isOver = this.#over; // asked first: it is set after the last text has arrived
        const { text } = this;
        const at = text.indexOf(what, this.#read);
        if (at >= 0) return at + what.length;
        if (isOver) throw new Error(`never written: ${what}\n${text}`);
        return false;
      },
      { seen: () => this.text.slice(this.#read) },
    );
    const passed = this.text.slice(this.#read, end);
    this.#read = end;
    return passed;
  }

  type(keys: string): void {
    this.pty.write(keys);
  }

  /** Waits for the next prompt and answers it. */
  async answer(line: string, prompt = "> "): Promise<void> {
    await this.until(prompt);
    this.type(`${line}\r`);
  }

  /**
   * The program has ended. Bun reports that before it hands over what the program wrote last. A terminal
   * keeps the order of what is written to it: once our mark has arrived, so has everything before it.
   */
  async end(): Promise<void> {
    const mark = `\x1b]end-${crypto.randomUUID()}\x07`;
    await Bun.spawn(["printf", "%s", mark], { terminal: this.pty }).exited;
    await until("the last text arrives", () => this.#raw.includes(mark));
    this.#raw = this.#raw.replace(mark, "");
    this.#over = true;
  }
}
