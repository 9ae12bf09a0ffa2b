import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { SignalboxError } from "@signalbox/protocol";
import {
  type Ask,
  type Decision,
  endOf,
  Host,
  type Image,
  type Launch,
  policies,
  type Policy,
  type RunEnd,
  stdioDriver,
} from "@signalbox/runner";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Command } from "../main.ts";
import { askOnTerminal } from "../run/ask-on-terminal.ts";
import { openDemo } from "../run/demo.ts";
import { jsonReport } from "../run/report.ts";
import { TurnWatch } from "../run/turn-watch.ts";
import { View } from "../run/view.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { styleFor } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";
import { UsageError } from "../usage-error.ts";

const outputs = ["text", "json", "lines"] as const;
type Output = (typeof outputs)[number];

export const runCommand: Command = {
  summary: "run one prompt in this folder and stream the answer",
  help: `Usage: signalbox run [options] "prompt"

Runs one prompt with Claude Code in the current folder, without a server. Asks permissions
on the terminal. Without a prompt it is read from standard input.

  --output text|json|lines  the answer as it comes (default), one JSON object at the end,
                            or every line of the agent's as it came
  --demo                    the real Claude Code with a scripted model: no account, no network
  --resume ID               go on with a conversation; --fork: with a copy of it
  --continue                go on with the newest conversation of this folder
  --model NAME              the model to use
  --permission-mode MODE    Claude Code's own mode, such as acceptEdits or plan
  --policy POLICY           ${Object.keys(policies).join(", ")}
  --allowed-tools LIST      tools that need no asking, such as "Bash(git *),Edit"
  --image FILE              an image for the prompt (may be given several times)
  --folder FOLDER           work there instead of here
  --agent PATH              the Claude Code to run

The answer goes to standard output, all else to standard error.

Exit code: ${exitCode.success} success, ${exitCode.agentError} the agent failed, ${exitCode.usage} wrong usage, ${exitCode.refused} something was refused,
${exitCode.notFound} not found (Claude Code, the folder or the conversation), ${exitCode.interrupted} interrupted.`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parse(args);
  const output = oneOf("--output", values.output, outputs);
  const policy = oneOf("--policy", values.policy, Object.keys(policies) as Policy[]);
  if (values.fork && values.resume === undefined) throw new UsageError("--fork needs --resume.");
  const images = (values.image ?? []).map(readImage);
  const prompt = await promptText(positionals, values.demo === true);
  const named = {
    ...(values.folder !== undefined && { folder: values.folder }),
    ...(values.agent !== undefined && { agentPath: values.agent }),
  };
  await using demo = values.demo ? await openDemo(named) : undefined;
  const launch: Launch = {
    folder: process.cwd(),
    ...named,
    ...demo?.launch,
    ...(values.model !== undefined && { model: values.model }),
    ...(values["permission-mode"] !== undefined && { permissionMode: values["permission-mode"] }),
    ...(values["allowed-tools"] && { allowedTools: values["allowed-tools"] }),
    ...(values.continue && { continue: true }),
    ...(values.resume !== undefined && {
      resume: { id: values.resume, fork: values.fork === true },
    }),
  };
  return await new OneTurn(output, policy).play(launch, { text: prompt, images });
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: "string", default: "text" },
        demo: { type: "boolean" },
        resume: { type: "string" },
        fork: { type: "boolean" },
        continue: { type: "boolean" },
        model: { type: "string" },
        "permission-mode": { type: "string" },
        policy: { type: "string", default: "default" },
        "allowed-tools": { type: "string", multiple: true },
        image: { type: "string", multiple: true },
        folder: { type: "string" },
        agent: { type: "string" },
      },
    });
  } catch (failure) {
    throw new UsageError(failure instanceof Error ? failure.message : String(failure));
  }
}

function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((choice) => choice === value);
  if (found === undefined) {
    throw new UsageError(`${flag} is one of ${allowed.join(", ")}, not "${visible(value)}".`);
  }
  return found;
}

function readImage(file: string): Image {
  try {
    return { data: readFileSync(file), name: file };
  } catch {
    throw new UsageError(`The image ${visible(file)} cannot be read.`);
  }
}

async function promptText(positionals: string[], demo: boolean): Promise<string> {
  const given = positionals.join(" ");
  if (given !== "") return given;
  if (demo && process.stdin.isTTY) return "Show me what you can do.";
  if (!process.stdin.isTTY) {
    const piped = (await text(process.stdin)).trim();
    if (piped !== "") return piped;
    if (demo) return "Show me what you can do.";
  }
  throw new UsageError("A prompt is missing.");
}

/** One prompt, from the start of the agent to its end. */
class OneTurn {
  readonly #output: Output;
  readonly #policy: Policy;
  readonly #watch = new TurnWatch();
  readonly #refused: string[] = [];
  readonly #style = styleFor(process.stderr, process.env);
  readonly #view = new View({
    answer: (text) => process.stdout.write(text),
    note: (text) => process.stderr.write(text),
    style: this.#style,
  });
  readonly #keyboard =
    process.stdin.isTTY && process.stderr.isTTY ? new Keyboard(() => this.#interrupt()) : undefined;
  #host: Host | undefined;
  #interrupts = 0;

  constructor(output: Output, policy: Policy) {
    this.#output = output;
    this.#policy = policy;
  }

  async play(launch: Launch, prompt: { text: string; images: Image[] }): Promise<ExitCode> {
    const onSignal = () => this.#interrupt();
    process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
    try {
      const onAsk = (ask: Ask, signal: AbortSignal) => this.#decide(ask, signal);
      this.#host = await Host.start(stdioDriver(), launch, { policy: this.#policy, onAsk });
      await using host = this.#host;
      if (this.#output === "text") this.#view.introduce(host.run);
      const reading = this.#read(host);
      await host.prompt(prompt);
      await Promise.race([this.#watch.finished, host.closed]);
      const end = await host.stop();
      await reading;
      return this.#conclude(host, end);
    } catch (failure) {
      return this.#fail(failure);
    } finally {
      this.#keyboard?.close();
      process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    }
  }

  async #read(host: Host): Promise<void> {
    for await (const batch of host.lines) {
      for (const line of batch) {
        if (this.#output === "lines") process.stdout.write(`${line.raw}\n`);
        if (this.#output === "text") this.#view.show(line);
        this.#watch.see(line);
      }
    }
  }

  /** First the turn is interrupted; who insists stops the agent. */
  #interrupt(): void {
    this.#interrupts++;
    if (this.#interrupts === 1 && this.#host) {
      this.#view.note(this.#style.yellow("interrupting… (again to stop)"));
      this.#host.interrupt().catch(() => {}); // it may be leaving already
    } else {
      void this.#host?.run.close();
    }
  }

  async #decide(ask: Ask, signal: AbortSignal): Promise<Decision> {
    const decision = await this.#ask(ask, signal);
    if (decision.behavior === "deny" && !signal.aborted) {
      this.#refused.push("tool" in ask ? ask.tool : ask.kind);
    }
    return decision;
  }

  async #ask(ask: Ask, signal: AbortSignal): Promise<Decision> {
    if (!this.#keyboard) {
      const what = "tool" in ask ? ask.tool : `a ${ask.kind}`;
      this.#view.note(
        this.#style.yellow(
          `! ${visible(what)} was denied: there is no terminal to ask on. Allow it with --allowed-tools, --permission-mode or --policy.`,
        ),
      );
      return {
        behavior: "deny",
        message: "Nobody is at the terminal to be asked, so this was not allowed.",
      };
    }
    const terminal = {
      keyboard: this.#keyboard,
      style: this.#style,
      print: (text: string) => this.#view.note(text),
    };
    const decision = await askOnTerminal(ask, signal, terminal);
    if (signal.aborted) this.#view.note(this.#style.dim("  (withdrawn)"));
    return decision;
  }

  #conclude(host: Host, end: RunEnd): ExitCode {
    const { last, error } = this.#watch;
    const unexpected = end.kind !== "stopped" && end.kind !== "clean";
    const exit = this.#exitFor(
      error,
      unexpected ? end : undefined,
      last?.stop_reason === "refusal",
    );
    if (this.#output === "json") {
      const { run } = host;
      const said = unexpected ? end.sentence : error;
      console.log(
        jsonReport({ exit, run, watch: this.#watch, refused: this.#refused, error: said, end }),
      );
    } else if (unexpected) {
      this.#explain(end);
    }
    return exit;
  }

  #exitFor(error: string | undefined, end: RunEnd | undefined, modelRefused: boolean): ExitCode {
    if (this.#interrupts > 0) return exitCode.interrupted;
    if (end) return notFound.has(end.kind) ? exitCode.notFound : exitCode.agentError;
    if (this.#refused.length > 0 || modelRefused) return exitCode.refused;
    return error === undefined && this.#watch.last ? exitCode.success : exitCode.agentError;
  }

  #fail(failure: unknown): ExitCode {
    const end = endOf(failure);
    if (!end && !SignalboxError.isAny(failure)) throw failure;
    const sentence = end?.sentence ?? (failure as Error).message;
    const exit = this.#exitFor(sentence, end, false);
    if (this.#output === "json") {
      console.log(jsonReport({ exit, refused: this.#refused, error: sentence, end }));
    } else if (end) {
      this.#explain(end);
    } else {
      this.#view.note(this.#style.red(visible(sentence)));
    }
    return exit;
  }

  #explain(end: RunEnd): void {
    this.#view.note(this.#style.red(`✗ ${visible(end.sentence)}`));
    const words = visible(end.stderr).trim().split("\n").slice(-10).join("\n");
    if (words !== "") this.#view.note(this.#style.dim(words));
  }
}

const notFound = new Set<RunEnd["kind"]>([
  "not-found",
  "not-claude-code",
  "folder-unusable",
  "resume-failed",
]);
