import { SignalboxError } from "@signalbox/protocol";

/** The facts of each kind of run end, or of a failed start. */
interface RunEndFacts {
  clean: {};
  stopped: {
    how:
      | "its input was closed"
      | "it had closed its pipes"
      | "SIGTERM"
      | "SIGKILL"
      | "its connection was closed";
  };
  /** `dialed`: somebody else started the agent, and only they can start it again. */
  crashed: { code: number | null; signal: string | null; dialed?: true };
  "resume-failed": { id?: string; said: string };
  "not-logged-in": { said: string };
  "option-rejected": { option: string; said: string };
  unresponsive: { to: string; waitedMs: number };
  "hooks-refused": {};
  "not-found": { looked: readonly string[]; named?: string };
  "not-claude-code": { path: string; why: string };
  unsupported: { path: string; version: string; oldest: string };
  "folder-unusable": { folder: string; why: string };
  "bad-launch": { field: string; why: string };
  "not-started": { path: string; why: string };
  "isolation-unavailable": { profile: string; why: string };
  "left-at-once": { path: string };
  "sdk-url-refused": { path: string; version: string };
  "not-connected": {};
  left: { waitedMs: number };
  replaced: {};
  rotated: {};
}
type Kind = keyof RunEndFacts;

/** The sentence for each kind: what happened, and what to do. */
const sentences: { [K in Kind]: (end: RunEndFacts[K]) => string } = {
  clean: () => "The agent finished and left by itself.",
  stopped: (end) => `The agent was stopped (${end.how}).`,
  crashed: ({ code, signal, dialed }) => {
    const how = code === null ? "" : ` with exit code ${code}`; // unknown when nobody observed the exit
    const what =
      signal === null
        ? `The agent ended unexpectedly${how}.`
        : `The agent was killed by ${signal}.`;
    const next = dialed
      ? "the session continues when an agent dials in"
      : "the next message starts the agent again";
    return `${what} The conversation is kept, and ${next}.`;
  },
  "resume-failed": (end) =>
    `The conversation ${end.id ?? "of this folder"} could not be taken up again: ${end.said}. Start a new one, or choose another.`,
  "not-logged-in": (end) =>
    `Claude Code has no valid login: ${end.said}. Run \`claude\` in a terminal and log in, or set ANTHROPIC_API_KEY.`,
  "option-rejected": (end) =>
    `This version of Claude Code does not accept ${end.option}: ${end.said}. Leave it out, or update Claude Code.`,
  unresponsive: (end) =>
    `The program did not answer "${end.to}" within ${end.waitedMs / 1000} s and was stopped. Is it Claude Code?`,
  "hooks-refused": () =>
    "The agent did not accept our hooks, so what was asked of it could not be kept, and it was stopped. Is another program its host?",
  "not-found": ({ looked, named }) => {
    const what =
      named === undefined || named === "claude"
        ? "Claude Code was not found. Install it with `npm install -g @anthropic-ai/claude-code`, or name its path."
        : `The program ${named} was not found. Install it, or name another or its path.`;
    return `${what} Looked in: ${looked.join(", ")}.`;
  },
  "not-claude-code": (end) =>
    `${end.path} is not Claude Code: ${end.why}. Name the path of a Claude Code program.`,
  unsupported: (end) =>
    `${end.path} is Claude Code ${end.version}, which is too old: ${end.oldest} or newer is needed. Update it with \`npm install -g @anthropic-ai/claude-code\`.`,
  "folder-unusable": (end) =>
    `The working folder ${end.folder} cannot be used: ${end.why}. Choose a folder that exists.`,
  "bad-launch": (end) => `The launch option ${end.field} is wrong: ${end.why}.`,
  "not-started": (end) => `${end.path} could not be started: ${end.why}.`,
  "isolation-unavailable": (end) =>
    `The agent was not started, because it cannot be isolated as the session wants ("${end.profile}"): ${end.why}.`,
  "left-at-once": (end) =>
    `${end.path} left before it was ready, as if there were nothing to do. Look at the agent's options in the settings: one of them, such as --version, may have another task.`,
  "sdk-url-refused": (end) =>
    `${end.path} is Claude Code ${end.version}, which connects with --sdk-url to Anthropic's own endpoints alone (2.1.120 was the last to connect to any). It was not started. Use the driver stdio, or run it with \`signalbox dial\`.`,
  "not-connected": () =>
    "No agent is connected to this session. The conversation is kept, and messages wait until one dials in.",
  left: (end) =>
    `The agent's connection broke, and it did not come back within ${end.waitedMs / 1000} s. The conversation is kept, and the session continues when an agent dials in.`,
  replaced: () => "Another agent process dialed in, in this one's place.",
  rotated: () => "The agent went on with another conversation, which has a session of its own.",
};

/** How the agent's process ended: with an exit code, or by a signal. */
interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export type RunEnd<K extends Kind = Kind> = {
  [P in K]: {
    kind: P;
    sentence: string;
    stderr: string;
    /** Undefined if there was no process, or its exit was not observed. */
    exit?: ProcessExit;
  } & RunEndFacts[P];
}[K];

/** Texts of the agent or the system are inserted into our sentences without their final period. */
function describeFacts<F extends object>(facts: F): F {
  const bare = Object.entries(facts).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "string" && (name === "said" || name === "why")
      ? value.trim().replace(/\.+$/, "")
      : value,
  ]);
  return Object.fromEntries(bare) as F;
}

/** Creates a run end with its sentence and the end of the agent's error output. */
export function createRunEnd<K extends Kind>(
  kind: K,
  facts: RunEndFacts[K],
  stderr = "",
): RunEnd<K> {
  return {
    kind,
    sentence: sentences[kind](describeFacts(facts)),
    stderr,
    ...facts,
  } as unknown as RunEnd<K>;
}

export function createLaunchError<K extends Kind>(
  kind: K,
  facts: RunEndFacts[K],
  options?: { stderr?: string; cause?: unknown },
): SignalboxError<"LAUNCH_FAILED"> {
  const reason = createRunEnd(kind, facts, options?.stderr);
  return new SignalboxError("LAUNCH_FAILED", { reason }, { cause: options?.cause });
}

/** Returns the run end of an error that a driver or host threw, if it has one. */
export function toRunEnd(failure: unknown): RunEnd | undefined {
  const carries =
    SignalboxError.is(failure, "LAUNCH_FAILED") || SignalboxError.is(failure, "CONNECTION_CLOSED");
  return carries ? (failure.data.reason as RunEnd) : undefined;
}
