import { errorMessage } from "@signalbox/protocol/text";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { OutgoingMessage } from "@signalbox/agent";
import type { HookRun } from "../hooks/hooks.ts";
import { type HookOutcome, getNotices, getRemarks } from "../hooks/outcome.ts";
import { serverNamed } from "../mcp/server.ts";
import type { ApiBlock } from "../model/conversation.ts";
import type { Session } from "../session.ts";
import { allTools } from "./all-tools.ts";
import { nameNow, toolNamed } from "../tool-names.ts";
import { type Call, type Output, type Tool, ToolFailure } from "../tool.ts";
import {
  type CallOutcome,
  createCancelled,
  createFailure,
  createInterrupted,
  createNotBegun,
  createRefusal,
  createRuleRefusal,
} from "./call-outcome.ts";
import { fitFailure, fitOutput } from "./fit-output.ts";
import { loadMemoryForCall } from "./memory-met-by.ts";
import { withHeartbeat } from "./heartbeat.ts";
import { inputProblem } from "./input-problem.ts";
import { namedTools } from "../model/named-tools.ts";
import { requestPermission } from "./request-permission.ts";
import type { PermissionOutcome } from "./permission-outcome.ts";
import type { Thread } from "./thread.ts";

/** Returns why a tool that exists elsewhere is unavailable. */
function describeUnavailableTool(name: string, session: Session): string {
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
    return await checkAndRun(thread, use, onAsked);
  } catch (cause) {
    const what = errorMessage(cause);
    const why = `Error calling tool (${String(use["name"])}): ${what}`;
    return createRefusal(String(use["id"]), why, why, "");
  }
}

async function checkAndRun(
  thread: Thread,
  use: ApiBlock,
  onAsked: () => void,
): Promise<CallOutcome> {
  const { session } = thread;
  const id = String(use["id"]);
  const name = String(use["name"]);
  const known = toolNamed(thread.tools(), name);
  if (!known) await session.mcp.waitForTool(name, thread.signal);
  const tool = known ?? toolNamed(thread.tools(), name);
  if (!tool) {
    const why = `No such tool available: ${name}${describeUnavailableTool(name, session)}`;
    return createRefusal(id, why, `Error: ${why}`);
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
    return createRefusal(
      id,
      wrong.listed,
      `InputValidationError: ${wrong.text}`,
      "InputValidationError: ",
    );
  }
  const forbidden = tool.forbid?.(input, session);
  if (forbidden) {
    listDenial(thread, tool, id, tool.shown?.(input, session) ?? input);
    return createRuleRefusal(id, forbidden);
  }
  const why = await tool.refuse?.(input, session);
  if (why !== undefined) return createRefusal(id, why);
  return judgeByHooks(thread, tool, input, call);
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

async function judgeByHooks(
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
  if (thread.signal.aborted) return createNotBegun(thread, id);
  const messagesBefore = getNotices("PreToolUse", before, tool.name);
  const callWithoutVerdict = withoutVerdict(tool, id, before);
  if (callWithoutVerdict) {
    return {
      ...callWithoutVerdict,
      messagesBefore,
      modelNotes: getRemarks("PreToolUse", before, tool.name),
    };
  }
  // With a person at a terminal, nobody would continue the call later.
  if (before.permission?.decision === "defer" && session.context.options.print) {
    const modelNotes = getRemarks("PreToolUse", before, tool.name);
    const deferred = { id, name: tool.name, input: shown };
    return {
      deferred,
      more: {},
      followUps: [],
      modelNotes,
      ...(thread.agent ? {} : { messagesBefore }),
    };
  }
  const called = {
    ...(await decideAndRun({ thread, tool, input, call, before, about })),
    messagesBefore,
  };
  // A hook that ends the turn does not stop the call, which needs a separate permission; a denial
  // by somebody else continues the turn.
  if (before.stop === undefined || called.isDenied) return called;
  return { ...called, stopped: called.stopped ?? "hook" };
}

/** A call after its PreToolUse hooks. */
interface HookedCall {
  readonly thread: Thread;
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly call: Call;
  readonly before: HookOutcome;
  readonly about: HookRun & { subject: string };
}

type Permitted<K extends PermissionOutcome["kind"]> = Extract<PermissionOutcome, { kind: K }>;

/** Decides about a call, and runs it if it is allowed. */
async function decideAndRun(hooked: HookedCall): Promise<CallOutcome> {
  const { tool, input, call, before } = hooked;
  const word =
    before.permission ??
    (before.blocked === undefined
      ? undefined
      : { decision: "deny" as const, reason: before.blocked });
  await results(); // The person who is asked has seen the earlier results.
  if (!tool.beginsAtOnce?.(input, call.session)) await results(); // This call, too, waited for the earlier results.
  const permitted = await requestPermission(tool, input, call, { ...before, permission: word });
  return permitted.kind === "allowed"
    ? runAllowed(hooked, permitted)
    : createNotAllowed(hooked, permitted, word?.decision === "deny");
}

/** The result of a call that may not run. */
function createNotAllowed(
  { thread, tool, input, call, before }: HookedCall,
  permitted: Permitted<"stopped" | "denied" | "misfit">,
  isDeniedByHook: boolean,
): CallOutcome {
  const id = call.toolUseId;
  const modelNotes = getRemarks("PreToolUse", before, tool.name);
  if (permitted.kind === "misfit") {
    const refusal = createRefusal(id, permitted.why, permitted.message, "InputValidationError: ");
    const tool_result_meta = [{ id, ...permitted.meta }];
    return { ...refusal, more: { ...refusal.more, tool_result_meta }, modelNotes };
  }
  listDenial(thread, tool, id, tool.shown?.(input, call.session) ?? input);
  if (permitted.toldAs) thread.say(permitted.toldAs as OutgoingMessage);
  if (permitted.kind === "stopped") {
    return { ...withoutMetaForAgents(thread, createInterrupted(id, false)), stopped: "person" };
  }
  return {
    ...createFailure(id, permitted.message, permitted.meta),
    modelNotes,
    isDenied: !isDeniedByHook,
  };
}

/** Runs a call that is allowed, and reports its result to the hooks after it. */
async function runAllowed(
  hooked: HookedCall,
  permitted: Permitted<"allowed">,
): Promise<CallOutcome> {
  const { thread, tool, call, about } = hooked;
  const { session } = thread;
  const id = call.toolUseId;
  const began = Date.now();
  const toolOutcome = await run(tool, permitted.input, call);
  if (
    "failure" in toolOutcome &&
    (thread.makesWay || (toolOutcome.isCutOff && !thread.signal.aborted))
  ) {
    return createFailure(id, toolOutcome.failure, {
      non_execution_kind: "interrupted",
      ...permitted.meta,
    });
  }
  if (thread.signal.aborted && "failure" in toolOutcome) {
    const outcome = withoutMetaForAgents(thread, createInterrupted(id, !thread.agent));
    return { ...outcome, afterwards: toolOutcome.afterwards };
  }
  const facts = {
    tool_name: tool.name,
    tool_input: tool.shown?.(permitted.input, session) ?? permitted.input,
  };
  const later = {
    tool_use_id: id,
    duration_ms: Date.now() - began,
    ...serverNamed(session.mcp, tool.origin?.server),
  };
  if ("failure" in toolOutcome) {
    const { tool_use_id, ...rest } = later;
    const error = { error: toolOutcome.failure, is_interrupt: false };
    const after = await session.hooks.run(
      "PostToolUseFailure",
      { ...facts, tool_use_id, ...error, ...rest },
      about,
    );
    return isInterrupted(thread)
      ? createInterrupted(id, true)
      : createFailedOutcome(hooked, toolOutcome.failure, permitted.meta, after);
  }
  const after = await session.hooks.run(
    "PostToolUse",
    {
      ...facts,
      tool_response: toolOutcome.output.structured ?? toolOutcome.output.content,
      ...later,
    },
    about,
  );
  return isInterrupted(thread)
    ? createInterrupted(id, true)
    : createOutcome(hooked, toolOutcome.output, permitted, after);
}

/** The messages of the hooks before and after a call for the model, and those after it for people. */
function getHookWords({ tool, before }: HookedCall, event: string, after: HookOutcome) {
  const modelNotes = [
    ...getRemarks("PreToolUse", before, tool.name),
    ...getRemarks(event, after, tool.name),
  ];
  return { modelNotes, notices: getNotices(event, after, tool.name) };
}

function createFailedOutcome(
  hooked: HookedCall,
  failure: string,
  meta: JsonObject,
  after: HookOutcome,
): CallOutcome {
  const { modelNotes, notices } = getHookWords(hooked, "PostToolUseFailure", after);
  return { ...createFailure(hooked.call.toolUseId, failure, meta), modelNotes, notices };
}

async function createOutcome(
  hooked: HookedCall,
  made: Output,
  { input, meta }: Permitted<"allowed">,
  after: HookOutcome,
): Promise<CallOutcome> {
  const { thread, tool, call } = hooked;
  const id = call.toolUseId;
  const output = after.output ? applyHookOutput(tool, made, after.output.value) : made;
  const memory = await loadMemoryForCall(thread, tool, input);
  const { modelNotes, notices } = getHookWords(hooked, "PostToolUse", after);
  return {
    block: {
      tool_use_id: id,
      type: "tool_result",
      content: await fitOutput(thread.session, tool, id, output.content),
      ...(output.saysOk ? { is_error: isBrokenOff(output) } : {}),
    },
    more: {
      // The result of a subagent's call is for its model. Hosts only get its failures.
      ...(thread.agent ? {} : { tool_use_result: output.structured ?? output.content }),
      tool_result_meta: [{ id, ...meta }],
    },
    followUps: output.followUps ?? [],
    modelNotes: [...modelNotes, ...memory],
    notices,
    output,
    ...(after.stop === undefined ? {} : { stopped: "hook" as const }),
  };
}

/** Hosts are not told why a subagent's call did not run. */
function withoutMetaForAgents({ agent }: Thread, outcome: CallOutcome): CallOutcome {
  const { tool_result_meta: _, ...ofAgent } = outcome.more;
  return agent ? { ...outcome, more: ofAgent } : outcome;
}

/** Whether the call was interrupted while hooks ran. Then its result is not reported any more. */
const isInterrupted = ({ signal, agent, makesWay }: Thread): boolean =>
  signal.aborted && !agent && !makesWay;

/** Applies an output from a hook. An invalid output is ignored. */
function applyHookOutput(tool: Tool, output: Output, value: unknown): Output {
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

/** Denies a call because a hook that should have judged it did not, whatever the rules say. */
function withoutVerdict(tool: Tool, id: string, before: HookOutcome): CallOutcome | undefined {
  const { noVerdict, permission, blocked } = before;
  if (!noVerdict || noVerdict.kind === "failed") return undefined;
  if (noVerdict.kind === "gone") return createCancelled(id);
  const what =
    noVerdict.kind === "late"
      ? "did not respond before its timeout (host client may be unreachable)"
      : "failed with an unexpected error";
  const why = `PreToolUse hook ${what}. The tool call was not executed; other configured hooks may not have completed.`;
  const denied = permission?.decision === "deny" ? (permission.reason ?? "") : blocked;
  const hookError = denied === undefined ? "" : `PreToolUse:${tool.name} hook error: ${denied}\n\n`;
  return createFailure(id, hookError + why);
}
