import { errorMessage } from "@signalbox/protocol/text";
import { entryPoint } from "./command-line/entry-point.ts";
import { createTransportPair } from "@signalbox/protocol/wire";
import type { AgentContext, AgentFactory } from "./agent.ts";
import { helpText, versionText } from "./command-line/help.ts";
import type { AgentOptions } from "./command-line/options.ts";
import { pipedText } from "./command-line/piped-text.ts";
import { parseArguments } from "./command-line/parse-arguments.ts";
import { parseOptions } from "./command-line/parse-options.ts";
import { UsageError } from "./command-line/usage-error.ts";
import { exitOnSignals, onInterrupt } from "./exit-on-signals.ts";
import { Loop } from "./loop/loop.ts";
import { createFailedResult, resultLine } from "./loop/result.ts";
import { sinkFor } from "./loop/sink.ts";
import { openSession, type Session, SessionError } from "./sessions/open-session.ts";
import { getProjectFolder } from "./sessions/place.ts";
import type { Streams } from "./terminal/ask-line.ts";
import type { StartDialog } from "./terminal/start-dialog.ts";
import { type TransportInput, openTransport, promptLines } from "./transport/open-transport.ts";

const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

/**
 * Asks the person at a terminal whether an agent may start in this folder, before the agent is
 * created.
 */
export type ConfirmStart = (
  context: Pick<AgentContext, "environment" | "folder" | "options">,
  dialog: StartDialog,
) => Promise<boolean>;

/**
 * Runs an agent as a program: reads this process's command line, uses its standard streams, and
 * exits.
 */
export async function runAgent(
  createAgent: AgentFactory,
  confirmStart?: ConfirmStart,
): Promise<never> {
  exitOnSignals();
  process.exit(await runAgentWithArguments(createAgent, process.argv.slice(2), confirmStart));
}

async function runAgentWithArguments(
  createAgent: AgentFactory,
  argv: readonly string[],
  confirmStart?: ConfirmStart,
): Promise<number> {
  process.stdout.on("error", () => {}); // A reader that closes the pipe wants no more output, which is not an error.
  try {
    const given = parseArguments(argv);
    if (given.given.has("version")) return await printAndExit(`${versionText}\n`);
    if (given.given.has("help")) return await printAndExit(helpText());
    const isUnboundRoot = process.getuid?.() === 0 && !process.env["IS_SANDBOX"];
    const read = parseOptions(given, process.stdin.isTTY, isUnboundRoot);
    const isTrusted = await askToStart(read, confirmStart);
    if (isTrusted === false) return 1;
    const options = await chooseResumedSession(read);
    return options ? await serve(createAgent, options, argv, isTrusted) : 0;
  } catch (failure) {
    if (!(failure instanceof UsageError)) throw failure;
    report(failure.message);
    return 1;
  }
}

/**
 * Asks before the agent starts. Returns undefined without a terminal, where nobody can be asked.
 */
async function askToStart(
  options: AgentOptions,
  confirmStart: ConfirmStart | undefined,
): Promise<boolean | undefined> {
  if (options.print || !confirmStart) return undefined;
  const { openStartDialog } = await import("./terminal/start-dialog.ts");
  return confirmStart(getProcessContext(options), openStartDialog(ownStreams));
}

const ownStreams: Streams = { input: process.stdin, output: process.stdout };
const getProcessContext = (options: AgentOptions) => ({
  options,
  environment: { ...process.env },
  folder: process.cwd(),
});

const MAX_LISTED = 20;

/** Handles `--resume` without a value on a terminal: a person chooses a session, or none. */
async function chooseResumedSession(options: AgentOptions): Promise<AgentOptions | undefined> {
  if (options.resume !== "") return options;
  const [{ listSessions }, { chooseSession }] = await Promise.all([
    import("./sessions/list.ts"),
    import("./terminal/choose-session.ts"),
  ]);
  const sessions = await listSessions(getProjectFolder(process.env, process.cwd()), MAX_LISTED);
  if (sessions.length === 0) throw new UsageError("No conversations found to resume");
  const resume = await chooseSession(sessions, ownStreams);
  return resume === undefined ? undefined : { ...options, resume };
}

async function serve(
  createAgent: AgentFactory,
  options: AgentOptions,
  argv: readonly string[],
  isTrusted: boolean | undefined,
): Promise<number> {
  const { environment, folder } = getProcessContext(options);
  const entrypoint = entryPoint(argv, environment, options.print);
  environment["CLAUDE_CODE_ENTRYPOINT"] = entrypoint;
  let session: Session;
  try {
    session = await openSession(options, { environment, folder, entrypoint });
  } catch (failure) {
    if (failure instanceof UsageError) throw failure;
    return refuseSession(failure, options);
  }
  if (options.rewindFiles !== undefined) return rewindFiles(session, options.rewindFiles);
  if (!options.print) {
    return converse({ options, environment, folder, session, createAgent, isTrusted });
  }
  const input = await readPromptInput(options);
  if (typeof input === "string" && input.trim() === "" && options.sdkUrl === undefined) {
    throw new UsageError(
      input === ""
        ? "Error: Input must be provided either through stdin or as a prompt argument when using --print"
        : "Error: Input contained only whitespace. Provide a prompt with text through stdin or as a prompt argument when using --print",
    );
  }
  const transport = await openTransport(input, {
    sdkUrl: options.sdkUrl,
    output: process.stdout,
    report,
    ...options.reconnect,
    token: () => environment["CLAUDE_CODE_SESSION_ACCESS_TOKEN"],
  });
  const sink = sinkFor(options, transport, print);
  const loop = new Loop({
    transport,
    sink,
    options,
    environment,
    folder,
    session,
    createAgent,
    report,
  });
  let isInterrupted = false;
  onInterrupt(() => {
    isInterrupted = true;
    loop.leave();
  });
  const code = await loop.run();
  if (isInterrupted) return 0;
  return (await transport.closed).kind === "lost" ? 1 : code;
}

type TerminalSessionParts = Omit<
  ConstructorParameters<typeof Loop>[0],
  "transport" | "sink" | "report"
>;

/** Without `-p` on a terminal, the person there takes the place of the host. */
async function converse(parts: TerminalSessionParts): Promise<number> {
  const [host, agent] = createTransportPair();
  const options: AgentOptions = {
    ...parts.options,
    inputFormat: "stream-json",
    outputFormat: "stream-json",
    partialMessages: true,
    permissionPromptTool: "stdio",
  };
  const sink = sinkFor(options, agent, print);
  const loop = new Loop({ ...parts, options, transport: agent, sink, report });
  const { prompt } = parts.options;
  if (prompt !== undefined) for (const line of promptLines(prompt)) await host.send(line);
  const [{ runTerminal }, { greeting }] = await Promise.all([
    import("./terminal/interactive.ts"),
    import("./terminal/greeting.ts"),
  ]);
  const terminalDone = runTerminal(host, ownStreams, greeting(parts));
  await loop.run();
  await terminalDone;
  return 0; // The person has already seen how each turn ended.
}

/**
 * Returns the prompt of the command line together with the piped text, or the stream of lines on
 * stdin.
 */
async function readPromptInput(options: AgentOptions): Promise<TransportInput> {
  if (process.stdin.isTTY) return options.prompt ?? "";
  if (options.inputFormat === "stream-json") {
    const isDialed = options.sdkUrl !== undefined && options.prompt !== undefined;
    return isDialed ? promptAndLines(options.prompt, process.stdin) : process.stdin;
  }
  const piped = await pipedText(process.stdin, options.prompt !== undefined, report);
  return [options.prompt ?? "", piped].filter((part) => part !== "").join("\n");
}

/**
 * Sends the prompt of the command line to a host elsewhere in any case, whatever else is piped in.
 */
async function* promptAndLines(
  prompt: string,
  lines: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (const line of promptLines(prompt)) yield Buffer.from(`${line}\n`);
  yield* lines;
}

/** Handles `--rewind-files`: restores files and exits. */
async function rewindFiles(session: Session, messageId: string): Promise<number> {
  const { checkpoints, conversation } = session;
  if (!conversation.some(({ type, uuid }) => type === "user" && uuid === messageId)) {
    report(
      `Error: --rewind-files requires a user message UUID, but ${messageId} is not a user message in this session`,
    );
    return 1;
  }
  const { canRewind, error } = await checkpoints.rewind(messageId, false);
  if (!canRewind) {
    report(`Error: ${error}`);
    return 1;
  }
  await print(`Files rewound to state at message ${messageId}\n`);
  return 0;
}

/** Writes the error to both streams if a session cannot be opened, as Claude Code does. */
async function refuseSession(failure: unknown, options: AgentOptions): Promise<number> {
  const text = errorMessage(failure);
  report(text);
  if (options.outputFormat === "stream-json") {
    const { terminal_reason: _, ...end } = createFailedResult(failure);
    const facts = { durationMs: 0, prompts: [], queued: 0, index: 0 };
    const { queued_turn_count: __, ...line } = resultLine(end, facts);
    const session_id = failure instanceof SessionError ? failure.sessionId : crypto.randomUUID();
    await print(`${JSON.stringify({ ...line, session_id, uuid: crypto.randomUUID() })}\n`);
  }
  return 1;
}

async function printAndExit(text: string): Promise<number> {
  await print(text);
  return 0;
}

async function print(text: string): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
}
