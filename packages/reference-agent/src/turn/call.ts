import { errorMessage } from "@signalbox/protocol/text";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { ContentBlock, DeferredCall, OutgoingMessage } from "@signalbox/agent";
import type { HookRun } from "../hooks/hooks.ts";
import { type HookOutcome, getNotices, getRemarks } from "../hooks/outcome.ts";
import { serverNamed } from "../mcp/server.ts";
import type { ApiBlock } from "../model/conversation.ts";
import type { Forbidden } from "../permission/files.ts";
import type { Session } from "../session.ts";
import { allTools } from "./all-tools.ts";
import { nameNow, toolNamed } from "../tool-names.ts";
import { type Call, type Output, type Tool, ToolFailure } from "../tool.ts";
import { fitFailure, fitOutput } from "./fit-output.ts";
import { memoryMetBy } from "./memory-met-by.ts";
import { withHeartbeat } from "./heartbeat.ts";
import { inputProblem } from "./input-problem.ts";
import { namedTools } from "../model/named-tools.ts";
import { requestPermission } from "./request-permission.ts";
import { getDecider } from "./permission-outcome.ts";
import type { Thread } from "./thread.ts";

/** The result of one call, ready to be reported. */
export interface CallOutcome {
  /** Undefined if the call was deferred. */
  readonly block?: ContentBlock;
  readonly deferred?: DeferredCall;
  /** The fields beside `message`. */
  readonly more: JsonObject;
  readonly followUps: readonly string[];
  readonly whispers: readonly string[];
  /**
   * Messages for the person from hooks before the call. They are sent with the result, and not
   * earlier.
   */
  readonly foreword?: readonly OutgoingMessage[];
  /** Messages from hooks after the call. */
  readonly notices?: readonly OutgoingMessage[];
  readonly output?: Output;
  /** The turn ends here, because of a person or a hook. */
  readonly stopped?: "person" | "hook";
  /** Denied by a rule, or by the person who was asked. */
  readonly isDenied?: boolean;
  /** Called after the result is reported. */
  readonly afterwards?: (() => void) | undefined;
}

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
const STOPPED =
  " In this case nobody refused: the call was running already when it was stopped. Some or all of what it does may have happened, and what it began elsewhere may still go on. Look before the same is begun again. To stop and wait holds all the same.";

/** Returns why a tool that exists elsewhere is unavailable. */
function missing(name: string, session: Session): string {
  if (session.hidden.has(nameNow(name))) {
    return `. ${name} is disabled for this session, in subagents as well as here.`;
  }
  return toolNamed(allTools(session), name)
    ? `. ${name} is not among the tools available here. Continue with the tools you have.`
    : "";
}

/**
 * Runs one call from the model's input to its result: check, hooks and rules, execution, report. It
 * has a result whatever fails, because otherwise the model would repeat the call.
 */
export async function runCall(
  thread: Thread,
  use: ApiBlock,
  onAsked: () => void = () => {},
): Promise<CallOutcome> {
  try {
    return await checked(thread, use, onAsked);
  } catch (cause) {
    const what = errorMessage(cause);
    const why = `Error calling tool (${String(use["name"])}): ${what}`;
    return refused(String(use["id"]), why, why, "");
  }
}

async function checked(thread: Thread, use: ApiBlock, onAsked: () => void): Promise<CallOutcome> {
  const { session } = thread;
  const id = String(use["id"]);
  const name = String(use["name"]);
  const known = toolNamed(thread.tools(), name);
  if (!known) await session.mcp.expected(name, thread.signal);
  const tool = known ?? toolNamed(thread.tools(), name);
  if (!tool) {
    const why = `No such tool available: ${name}${missing(name, session)}`;
    return refused(id, why, `Error: ${why}`);
  }
  const input = isObject(use["input"]) ? use["input"] : {};
  const messageId = getMessage(thread, use);
  const call: Call = {
    session,
    toolUseId: id,
    messageId,
    toolsNamed: () => namedTools(thread.entries.filter((one) => one.messageId !== messageId)),
    signal: thread.signal,
    interruption: thread.interruption,
    ...(thread.agent ? { agent: thread.agent } : {}),
    say: (message: OutgoingMessage) => void thread.say(message),
    onAsked,
  };
  const wrong = tool.name === "StructuredOutput" ? undefined : inputProblem(tool, input);
  if (wrong !== undefined) {
    return refused(
      id,
      wrong.listed,
      `InputValidationError: ${wrong.text}`,
      "InputValidationError: ",
    );
  }
  const forbidden = tool.forbid?.(input, session);
  if (forbidden) {
    listDenial(thread, tool, id, tool.shown?.(input, session) ?? input);
    return refusedByRule(id, forbidden);
  }
  const why = await tool.refuse?.(input, session);
  if (why !== undefined) return refused(id, why);
  return judged(thread, tool, input, call);
}

/** Lists a denial for the result, with the name of the subagent tool that hosts know. */
function listDenial({ denials }: Thread, { name }: Tool, id: string, input: JsonObject): void {
  const tool_name = name === "Agent" ? "Task" : name;
  denials.push({ tool_name, tool_use_id: id, tool_input: input });
}

function getMessage({ entries }: Thread, use: ApiBlock): string | undefined {
  const isIt = ({ id }: ApiBlock) => id === use["id"];
  return entries.findLast(({ content }) => content.some(isIt))?.messageId;
}

async function judged(
  thread: Thread,
  tool: Tool,
  input: JsonObject,
  call: Call,
): Promise<CallOutcome> {
  const { session } = thread;
  const id = call.toolUseId;
  const about = {
    subject: tool.name,
    toolUseId: id,
    signal: call.signal,
    ...(thread.agent ? { agent: thread.agent } : {}),
  };
  const shown = tool.shown?.(input, session) ?? input;
  const server = serverNamed(session.mcp, tool.origin?.server);
  const askHooks = () =>
    session.hooks.run(
      "PreToolUse",
      { tool_name: tool.name, tool_input: shown, tool_use_id: id, ...server },
      about,
    );
  const beat = {
    name: "PreToolUse",
    id: `hook-PreToolUse-${id}`,
    toolUseId: id,
    say: (one: OutgoingMessage) => call.say(one),
  };
  const before = thread.agent ? await askHooks() : await withHeartbeat(askHooks, beat);
  if (thread.signal.aborted) return notBegun(thread, id);
  const foreword = getNotices("PreToolUse", before, tool.name);
  const unjudged = withoutVerdict(tool, id, before);
  if (unjudged) {
    return { ...unjudged, foreword, whispers: getRemarks("PreToolUse", before, tool.name) };
  }
  // With a person at a terminal, nobody would continue the call later.
  if (before.permission?.decision === "defer" && session.context.options.print) {
    const whispers = getRemarks("PreToolUse", before, tool.name);
    const deferred = { id, name: tool.name, input: shown };
    return { deferred, more: {}, followUps: [], whispers, ...(thread.agent ? {} : { foreword }) };
  }
  const called = { ...(await decided({ thread, tool, input, call, before, about })), foreword };
  // A hook that ends the turn does not stop the call, which needs a separate permission; a denial
  // by somebody else continues the turn.
  if (before.stop === undefined || called.isDenied) return called;
  return { ...called, stopped: called.stopped ?? "hook" };
}

/** Decides about the call after its PreToolUse hooks. */
async function decided({
  thread,
  tool,
  input,
  call,
  before,
  about,
}: {
  thread: Thread;
  tool: Tool;
  input: JsonObject;
  call: Call;
  before: HookOutcome;
  about: HookRun & { subject: string };
}): Promise<CallOutcome> {
  const { session } = thread;
  const id = call.toolUseId;
  const shown = tool.shown?.(input, session) ?? input;
  const whispers = getRemarks("PreToolUse", before, tool.name);
  const word =
    before.permission ??
    (before.blocked === undefined
      ? undefined
      : { decision: "deny" as const, reason: before.blocked });
  await results(); // The person who is asked has seen the earlier results.
  if (!tool.beginsAtOnce?.(input, session)) await results(); // This call, too, waited for the earlier results.
  const permitted = await requestPermission(tool, input, call, { ...before, permission: word });
  if (permitted.kind === "stopped") {
    listDenial(thread, tool, id, shown);
    if (permitted.toldAs) thread.say(permitted.toldAs as OutgoingMessage);
    const { more, ...told } = interrupted(id, false);
    const { tool_result_meta: _, ...ofAgent } = more;
    return { ...told, more: thread.agent ? ofAgent : more, stopped: "person" };
  }
  if (permitted.kind === "denied") {
    listDenial(thread, tool, id, shown);
    if (permitted.toldAs) thread.say(permitted.toldAs as OutgoingMessage);
    const isDenied = word?.decision !== "deny";
    return { ...failed(id, permitted.message, permitted.meta), whispers, isDenied };
  }
  if (permitted.kind === "misfit") {
    const told = refused(id, permitted.why, permitted.message, "InputValidationError: ");
    const tool_result_meta = [{ id, ...permitted.meta }];
    return { ...told, more: { ...told.more, tool_result_meta }, whispers };
  }
  const began = Date.now();
  const said = await run(tool, permitted.input, call);
  if ("failure" in said && (thread.makesWay || (said.isCutOff && !thread.signal.aborted))) {
    return failed(id, said.failure, { non_execution_kind: "interrupted", ...permitted.meta });
  }
  if (thread.signal.aborted && "failure" in said) {
    const { more, ...told } = interrupted(id, !thread.agent);
    const { tool_result_meta: _, ...ofAgent } = more;
    return { ...told, more: thread.agent ? ofAgent : more, afterwards: said.afterwards };
  }
  const tell = {
    tool_name: tool.name,
    tool_input: tool.shown?.(permitted.input, session) ?? permitted.input,
  };
  const durationMs = Date.now() - began;
  const server = serverNamed(session.mcp, tool.origin?.server);
  if ("failure" in said) {
    const after = await session.hooks.run(
      "PostToolUseFailure",
      {
        ...tell,
        tool_use_id: id,
        error: said.failure,
        is_interrupt: false,
        duration_ms: durationMs,
        ...server,
      },
      about,
    );
    if (isInterrupted(thread)) return interrupted(id, true);
    return {
      ...failed(id, said.failure, permitted.meta),
      whispers: [...whispers, ...getRemarks("PostToolUseFailure", after, tool.name)],
      notices: getNotices("PostToolUseFailure", after, tool.name),
    };
  }
  const after = await session.hooks.run(
    "PostToolUse",
    {
      ...tell,
      tool_response: said.output.structured ?? said.output.content,
      tool_use_id: id,
      duration_ms: durationMs,
      ...server,
    },
    about,
  );
  if (isInterrupted(thread)) return interrupted(id, true);
  const output = after.output ? replaced(tool, said.output, after.output.value) : said.output;
  const memory = await memoryMetBy(thread, tool, permitted.input);
  return {
    block: {
      tool_use_id: id,
      type: "tool_result",
      content: await fitOutput(session, tool, id, output.content),
      ...(output.saysOk ? { is_error: isBrokenOff(output) } : {}),
    },
    more: {
      // The result of a subagent's call is for its model. Hosts only get its failures.
      ...(thread.agent ? {} : { tool_use_result: output.structured ?? output.content }),
      tool_result_meta: [{ id, ...permitted.meta }],
    },
    followUps: output.followUps ?? [],
    whispers: [...whispers, ...getRemarks("PostToolUse", after, tool.name), ...memory],
    notices: getNotices("PostToolUse", after, tool.name),
    output,
    ...(after.stop === undefined ? {} : { stopped: "hook" as const }),
  };
}

/** Whether the call was interrupted while hooks ran. Then its result is not reported any more. */
const isInterrupted = ({ signal, agent, makesWay }: Thread): boolean =>
  signal.aborted && !agent && !makesWay;

/** Applies an output from a hook. An invalid output is ignored. */
function replaced(tool: Tool, output: Output, value: unknown): Output {
  if (tool.render) {
    const content = isObject(value) ? tool.render(value) : undefined;
    return content === undefined ? output : { ...output, content, structured: value };
  }
  const isContent = typeof value === "string" || Array.isArray(value);
  const content = isContent ? (value as Output["content"]) : JSON.stringify(value);
  return { ...output, content, structured: value };
}

/** Whether a command was broken off, which counts as a failure. */
const isBrokenOff = ({ structured }: Output): boolean =>
  isObject(structured) && structured["interrupted"] === true;

/** Resolves after the available results were reported. */
const results = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Failure {
  readonly failure: string;
  readonly afterwards: (() => void) | undefined;
  readonly isCutOff: boolean;
}

/** Runs a tool. While it takes long, hosts are told so from time to time. */
async function run(
  tool: Tool,
  input: JsonObject,
  call: Call,
): Promise<{ output: Output } | Failure> {
  const { toolUseId } = call;
  const work = () => tool.run(input, call);
  const beat = {
    name: tool.name,
    id: toolUseId,
    toolUseId,
    say: (one: OutgoingMessage) => call.say(one),
  };
  try {
    return { output: await (call.agent ? work() : withHeartbeat(work, beat)) };
  } catch (cause) {
    const failure = fitFailure(errorMessage(cause));
    const { afterwards, isCutOff = false } = cause instanceof ToolFailure ? cause : {};
    return { failure, afterwards, isCutOff };
  }
}

/** Creates the result for a call that a rule denied before anybody was asked. */
function refusedByRule(id: string, { why, source: from }: Forbidden): CallOutcome {
  const { more, ...rest } = refused(id, why);
  const source = getDecider("deny", from);
  const permission_decision = { decision: "reject", source, reason_type: "rule" };
  return { ...rest, more: { ...more, tool_result_meta: [{ id, permission_decision }] } };
}

function refused(id: string, why: string, inTags = why, prefix = "Error: "): CallOutcome {
  return {
    block: {
      type: "tool_result",
      content: `<tool_use_error>${inTags}</tool_use_error>`,
      is_error: true,
      tool_use_id: id,
    },
    more: { tool_use_result: `${prefix}${why}` },
    followUps: [],
    whispers: [],
  };
}

function failed(id: string, why: string, meta?: JsonObject): CallOutcome {
  return {
    block: { type: "tool_result", content: why, is_error: true, tool_use_id: id },
    more: {
      tool_use_result: `Error: ${why}`,
      ...(meta ? { tool_result_meta: [{ id, ...meta }] } : {}),
    },
    followUps: [],
    whispers: [],
  };
}

const NOT_NOW =
  "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed.";

/** Creates the result for a call that did not begin. */
export function notBegun(thread: Thread, id: string): CallOutcome {
  return thread.makesWay ? cancelled(id) : interrupted(id, false);
}

/** Denies a call because a hook that should have judged it did not, whatever the rules say. */
function withoutVerdict(tool: Tool, id: string, before: HookOutcome): CallOutcome | undefined {
  const { noVerdict, permission, blocked } = before;
  if (!noVerdict || noVerdict.kind === "failed") return undefined;
  if (noVerdict.kind === "gone") return cancelled(id);
  const what =
    noVerdict.kind === "late"
      ? "did not respond before its timeout (host client may be unreachable)"
      : "failed with an unexpected error";
  const why = `PreToolUse hook ${what}. The tool call was not executed; other configured hooks may not have completed.`;
  const denied = permission?.decision === "deny" ? (permission.reason ?? "") : blocked;
  const said = denied === undefined ? "" : `PreToolUse:${tool.name} hook error: ${denied}\n\n`;
  return failed(id, said + why);
}

function cancelled(id: string): CallOutcome {
  return {
    block: { type: "tool_result", content: NOT_NOW, is_error: true, tool_use_id: id },
    more: {
      tool_use_result: NOT_NOW,
      tool_result_meta: [{ id, non_execution_kind: "cancelled" }],
    },
    followUps: [],
    whispers: [],
  };
}

function interrupted(id: string, wasRunning: boolean): CallOutcome {
  return {
    block: {
      type: "tool_result",
      content: wasRunning ? REFUSED + STOPPED : REFUSED,
      is_error: true,
      tool_use_id: id,
    },
    more: {
      tool_use_result: "User rejected tool use",
      tool_result_meta: [{ id, non_execution_kind: "user-rejected" }],
    },
    followUps: [],
    whispers: [],
  };
}
