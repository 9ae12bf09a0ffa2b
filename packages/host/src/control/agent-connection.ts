import { errorMessage } from "@signalbox/protocol/text";
import { type Decoded, decode, type Line, SignalboxError } from "@signalbox/protocol";
import {
  agentRequests,
  type AgentRequestSubtype,
  type AgentRequest,
  type HostAnswer,
  type HostRequestSubtype,
  hostRequests,
} from "@signalbox/protocol/control";
import {
  type IncomingRequest,
  type RequestHandler,
  Peer,
  readPendingRequests,
  type ControlRequestOptions,
  type LineRole,
} from "@signalbox/protocol/wire";
import * as z from "zod";
import { delayWhileAwake } from "../system/awake.ts";
import type { Run } from "../launch/driver.ts";
import { createLaunchError, type RunEnd } from "../launch/run-end.ts";
import { AllowedCalls } from "./allowed-calls.ts";
import { type Ask, type Decision, denyWith, buildPermissionAnswer, parseToolAsk } from "./ask.ts";
import { CallCheck } from "./call-check.ts";
import { AnsweredElsewhere } from "./answered-elsewhere.ts";
import { UnreadableOutput } from "./unreadable-output.ts";
import { type HookContext, HookTable, createPolicyHooks } from "./hooks.ts";
import { InProcessMcp } from "./in-process-mcp.ts";
import { initializeAgent } from "./initialize-agent.ts";
import { LineFeed } from "./line-feed.ts";
import type { HostOptions } from "./options.ts";
import { OtherHooks } from "./other-hooks.ts";
import { policies, type Policy, type PolicyRules } from "./policy.ts";
import { readLine } from "./read-line.ts";
import { TurnTracker } from "./turn-tracker.ts";
import { createUnknownHookHandler } from "./unknown-hooks.ts";

const INITIALIZE_TIMEOUT_MS = 60_000;
export const REQUEST_TIMEOUT_MS = 60_000;
const INTERRUPT_GRACE_MS = 5000;

/**
 * The connection to one agent: reads its lines in a loop, and sends requests and answers. It works before the
 * host is initialized.
 */
export class AgentConnection {
  readonly run: Run;
  readonly peer: Peer;
  readonly feed = new LineFeed();
  readonly turns = new TurnTracker();
  readonly #options: HostOptions;
  readonly #initialRules: PolicyRules;
  #rules: PolicyRules;
  readonly #hooks: HookTable;
  readonly #roles = new WeakMap<Decoded, LineRole>();
  readonly #unreadableOutput = new UnreadableOutput();
  readonly #otherHooks = new OtherHooks();
  readonly #allowedCalls = new AllowedCalls();
  readonly #mcp = new InProcessMcp();
  readonly #callCheck: CallCheck | undefined;
  readonly #answeredElsewhere: AnsweredElsewhere | undefined;

  constructor(run: Run, options: HostOptions) {
    this.run = run;
    this.#answeredElsewhere = run.hasOtherHost === true ? new AnsweredElsewhere() : undefined;
    this.#options = options;
    this.#initialRules = policies[options.policy ?? "default"];
    this.#rules = this.#initialRules;
    const hookContext: HookContext = {
      folder: run.folder,
      decide: (ask, signal) => this.#decide(ask, signal),
      otherHooks: this.#otherHooks,
      allowed: (call) => this.#allowedCalls.add(call),
    };
    if (options.callCheck?.isNeeded()) {
      this.#callCheck = new CallCheck(options.callCheck, {
        rules: () => this.#rules,
        folder: run.folder,
        tellsHooks: !run.unsupportedOptions.some(
          ({ option }) => option === "--include-hook-events",
        ),
      });
    }
    const hooks = [
      ...createPolicyHooks(() => this.#rules, hookContext),
      ...(options.hooks ?? []).filter(({ isNeeded }) => isNeeded?.() ?? true),
      ...(this.#callCheck?.hooks ?? []),
    ];
    this.#hooks = new HookTable(hooks, createUnknownHookHandler(hookContext));
    this.peer = new Peer({
      send: (line) => {
        this.#answeredElsewhere?.onHostLine(line);
        return this.send(line);
      },
      handlers: {
        can_use_tool: withSchema("can_use_tool", (request, asked) =>
          this.#handlePermission(request, asked),
        ),
        hook_callback: withSchema("hook_callback", (request, asked) =>
          this.#hooks.run(request, asked),
        ),
        mcp_message: withSchema("mcp_message", (request) => this.#mcp.handle(request)),
        elicitation: withSchema("elicitation", (request, asked) =>
          this.#handleElicitation(request, asked),
        ),
        request_user_dialog: withSchema("request_user_dialog", (request, asked) =>
          this.#handleDialog(request, asked),
        ),
      },
      ...(options.onStray && { onStray: options.onStray }),
    });
  }

  /** Starts reading, connects the MCP servers and initializes the agent. */
  async begin(): Promise<HostAnswer<"initialize">> {
    void this.#read();
    void this.run.closed.then((end) => this.#onRunEnded(end)); // the loop reads even if no consumer does
    await this.#mcp.connect(this.#options.mcpServers ?? {}, (server_name, message) =>
      this.peer.request({ subtype: "mcp_message", server_name, message } as { subtype: string }),
    );
    const { initialized } = this.run;
    if (!initialized) return this.#initialize();
    for (const line of this.run.pendingRequests ?? []) this.#acceptWaiting(decode(line));
    return initialized;
  }

  /** The requests that the agent made before and still waits for. */
  #acceptWaiting(line: Decoded): void {
    this.#answeredElsewhere?.onAgentLine(line);
    this.peer.accept(line);
  }

  async #initialize(): Promise<HostAnswer<"initialize">> {
    const hooks = this.#hooks.registration;
    const sdkMcpServers = this.#mcp.names;
    const fields = {
      ...this.#options.initialize,
      ...(hooks && { hooks }),
      ...(sdkMcpServers.length > 0 && { sdkMcpServers }),
    };
    const answer = await initializeAgent(fields, {
      run: this.run,
      unreadableOutput: this.#unreadableOutput,
      timeoutMs: this.#options.initializeTimeoutMs ?? INITIALIZE_TIMEOUT_MS,
      request: (request, options) => this.request(request, options),
    });
    if (hooks && answer["hooks_applied"] === false) throw createLaunchError("hooks-refused", {});
    return answer;
  }

  ask<S extends HostRequestSubtype>(
    subtype: S,
    fields: object = {},
    timeoutMs = REQUEST_TIMEOUT_MS,
  ): Promise<HostAnswer<S>> {
    const options = { answer: hostRequests[subtype].answer, timeoutMs };
    return this.request({ ...fields, subtype }, options) as Promise<HostAnswer<S>>;
  }

  async request(request: { subtype: string }, options: ControlRequestOptions): Promise<unknown> {
    const { subtype } = request;
    if (this.run.supportedRequests && !this.run.supportedRequests.has(subtype)) {
      const reason = `${this.run.agent.version} has no such request`;
      throw new SignalboxError("REQUEST_REFUSED", { subtype, answer: reason, unsupported: true });
    }
    return this.peer.request(request, options);
  }

  async setPolicy(policy: Policy): Promise<void> {
    const [before, after] = [this.#rules, policies[policy]];
    if (after.mustAsk && !this.#initialRules.mustAsk) {
      // Whoever wants every call to be asked gets at least what this run can do.
      if (before.decide || before.permissionMode === policies["accept-edits"].permissionMode) {
        await this.setPolicy("default");
      }
      const what = `The policy "${policy}" cannot begin in the middle of this run`;
      const why =
        'the agent was started without the hook that it needs. Until its next run it asks as under the policy "default" at least. Stop the session, choose the policy again, and wake it';
      throw new SignalboxError("BAD_INPUT", { what, why });
    }
    // a stricter policy applies at once, even if the agent refuses the mode
    if (!after.decide) this.#rules = after;
    const modes = [before.permissionMode, after.permissionMode];
    if (modes.some((mode) => mode !== undefined)) {
      await this.ask("set_permission_mode", { mode: after.permissionMode ?? "default" });
    }
    this.#rules = after;
  }

  /** Every line to the agent is sent through here. */
  async send(line: string): Promise<void> {
    const { observer } = this.#options;
    observer?.onOutgoing(line);
    try {
      await this.run.send(line);
    } catch (failure) {
      observer?.onSendFailed?.(line, failure);
      throw failure;
    }
  }

  async sendPrompt(uuid: string, line: string): Promise<void> {
    this.turns.onPrompt(uuid);
    try {
      await this.send(line);
    } catch (failure) {
      this.turns.onPromptFailed(uuid);
      throw failure;
    }
  }

  /** Interrupts the running turn, and waits a limited time for its end. */
  async interruptAndWait(): Promise<void> {
    if (!this.turns.isInTurn) return;
    const idle = this.turns.waitForResult();
    const interrupted = this.ask("interrupt", {}, INTERRUPT_GRACE_MS).then(() => idle);
    const timeout = delayWhileAwake(INTERRUPT_GRACE_MS);
    // the caller continues with stronger measures
    await Promise.race([interrupted, timeout, this.run.closed]).catch(() => {});
  }

  async end(): Promise<void> {
    await this.run.close();
    await this.#mcp.close();
  }

  async #read(): Promise<void> {
    const { observer } = this.#options;
    try {
      for await (const batch of this.run.incoming) {
        const observed = observer?.onIncoming(batch);
        if (observed) await observed;
        this.#accept(batch);
        const room = this.feed.waitForRoom();
        if (room) await Promise.race([room, this.run.closed]);
      }
    } catch {
      await this.run.close(); // the agent's requests are no longer read, so it must not continue
    } finally {
      this.#onRunEnded(await this.run.closed);
      this.feed.end();
      observer?.onEnd?.();
    }
  }

  #onRunEnded(end: RunEnd): void {
    this.peer.end(end);
    void this.#mcp.close();
  }

  #accept(batch: readonly Line[]): void {
    const accepted: Decoded[] = [];
    let characters = 0;
    for (const raw of batch) {
      const line = readLine(raw);
      accepted.push(line);
      if (!this.#unreadableOutput.hasAnswered) this.#unreadableOutput.onLine(line);
      characters += line.raw.length;
      // These are most of all lines, and the host does not need them.
      if (line.kind === "known" && line.message.type === "stream_event") continue;
      this.turns.onLine(line);
      if (this.#initialRules.mustAsk) this.#otherHooks.onLine(line);
      this.#callCheck?.onLine(line);
      if (this.run.hasOtherHost && !requiresPerson(line)) continue;
      const role = this.peer.accept(line);
      if (role !== "message") this.#roles.set(line, role);
      for (const waiting of readPendingRequests(line)) this.#acceptWaiting(decode(waiting));
      for (const request_id of this.#answeredElsewhere?.onAgentLine(line) ?? []) {
        this.peer.accept(decode(JSON.stringify({ type: "control_cancel_request", request_id })));
      }
    }
    if (this.#options.bufferLines ?? true) this.feed.push(accepted, characters);
    else this.feed.wake(); // readers of a turn check the state again
  }

  getLineRole(line: Decoded): LineRole {
    return this.#roles.get(line) ?? "message";
  }

  async #handlePermission(
    request: AgentRequest<"can_use_tool">,
    asked: IncomingRequest,
  ): Promise<object> {
    const ask = parseToolAsk(asked.requestId, request);
    if (ask.kind === "elicitation" || ask.kind === "dialog") return denyWith("not a tool");
    try {
      const decision =
        this.#rules.decide?.(request) ??
        this.#allowedCalls.take(request) ??
        (await this.#decide(ask, asked.signal));
      return buildPermissionAnswer(ask, decision);
    } catch (failure) {
      return denyWith(`Nobody could be asked: ${errorMessage(failure)}`);
    }
  }

  async #handleElicitation(
    request: AgentRequest<"elicitation">,
    asked: IncomingRequest,
  ): Promise<object> {
    const { requestId, signal } = asked;
    const decision = await this.#decide({ kind: "elicitation", requestId, request }, signal);
    if (decision.behavior === "accept") return { action: "accept", content: decision.content };
    return {
      action: decision.behavior === "deny" && decision.stop !== true ? "decline" : "cancel",
    };
  }

  async #handleDialog(
    request: AgentRequest<"request_user_dialog">,
    asked: IncomingRequest,
  ): Promise<object> {
    const { requestId, signal } = asked;
    const decision = await this.#decide({ kind: "dialog", requestId, request }, signal);
    if (decision.behavior === "result") return { behavior: "completed", result: decision.result };
    return { behavior: "cancelled" };
  }

  async #decide(ask: Ask, signal: AbortSignal): Promise<Decision> {
    const { onAsk } = this.#options;
    if (!onAsk)
      return { behavior: "deny", message: "Nobody is there to be asked, so this was not allowed." };
    const decision = await onAsk(ask, signal);
    if (decision.behavior === "allow" && "tool" in ask) {
      this.#callCheck?.asked(ask.request.tool_use_id, decision.input);
    }
    return decision;
  }
}

/** Creates a handler that gets only requests of the expected shape; others are refused by name. */
function withSchema<S extends AgentRequestSubtype>(
  subtype: S,
  handle: (request: AgentRequest<S>, asked: IncomingRequest) => unknown,
): RequestHandler {
  return (request, asked) => {
    const { error } = agentRequests[subtype].safeParse(request);
    if (error) throw new Error(`a ${subtype} in a shape we do not know: ${z.prettifyError(error)}`);
    return handle(request as AgentRequest<S>, asked);
  };
}

/**
 * Whether a request is for a person. Requests to hooks and MCP servers that another host registered
 * are answered by that host.
 */
function requiresPerson(line: Decoded): boolean {
  if (line.kind !== "known" || line.message.type !== "control_request") return true;
  return personOnlyRequests.has(line.message.request.subtype);
}
const personOnlyRequests: ReadonlySet<string> = new Set<AgentRequestSubtype>([
  "can_use_tool",
  "elicitation",
  "request_user_dialog",
]);
