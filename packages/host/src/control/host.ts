import type { Decoded } from "@signalbox/protocol";
import type { HostAnswer } from "@signalbox/protocol/control";
import { promptLine, type LineRole } from "@signalbox/protocol/wire";
import type { Driver, Run } from "../launch/driver.ts";
import type { Launch } from "../launch/launch.ts";
import type { RunEnd } from "../launch/run-end.ts";
import { AgentConnection, REQUEST_TIMEOUT_MS } from "./agent-connection.ts";
import type { HostOptions } from "./options.ts";
import { applyPolicy, type Policy } from "./policy.ts";
import { type Prompt, promptContent } from "./prompt.ts";
import { Turn, type HostTurnOptions } from "./turn.ts";

/**
 * The host's side of the protocol: initializes the agent, answers its requests, and sends prompts.
 */
export class Host implements AsyncDisposable {
  readonly run: Run;
  /** All lines of the agent, in batches, for one consumer. A slow consumer slows down the agent. */
  readonly lines: AsyncIterable<readonly Decoded[]>;
  /** The answer to `initialize`: commands, models, agents. */
  readonly initialized: HostAnswer<"initialize">;

  readonly #connection: AgentConnection;

  /** Starts an agent under a policy and initializes it. If that fails, nothing is left running. */
  static async start(driver: Driver, launch: Launch, options: HostOptions = {}): Promise<Host> {
    const { policy = "default", signal, observer } = options;
    const run = await startRun(driver, applyPolicy(policy, launch), signal);
    observer?.onStart?.(run);
    closeOnAbort(run, signal);
    const connection = new AgentConnection(run, withLaunchFields(options, launch));
    try {
      return new Host(connection, await connection.begin());
    } catch (failure) {
      await connection.end();
      throw failure;
    }
  }

  private constructor(connection: AgentConnection, initialized: HostAnswer<"initialize">) {
    this.#connection = connection;
    this.run = connection.run;
    this.lines = connection.feed;
    this.initialized = initialized;
  }

  /** Returns the role of a line that we sent: an ask, an answer, an echo of our own message… */
  getLineRole(line: Decoded): LineRole {
    return this.#connection.getLineRole(line);
  }

  /** Settles with the reason when the agent has ended. */
  get closed(): Promise<RunEnd> {
    return this.run.closed;
  }

  /** Sends a prompt to the agent. Resolves with its uuid when the agent has read it. */
  async prompt(prompt: Prompt): Promise<{ uuid: string }> {
    const uuid = prompt.uuid ?? crypto.randomUUID();
    const content = await promptContent(prompt, this.run.capabilities, this.run.folder);
    await this.#connection.sendPrompt(uuid, promptLine({ content, uuid }));
    return { uuid };
  }

  /**
   * Sends a prompt and follows it to its real end: until no turn runs, no background work runs and
   * no prompt waits. Read the turn instead of `lines`, and only one turn at a time.
   */
  turn(prompt: Prompt, options: HostTurnOptions = {}): Turn {
    const services = {
      feed: this.#connection.feed,
      tracker: this.#connection.turns,
      closed: this.closed,
      send: (each: Prompt) => this.prompt(each),
      interrupt: () => this.#connection.interruptAndWait(),
    };
    return new Turn(prompt, services, options);
  }

  /** Ends the turn, if one runs; the agent withdraws its open asks. */
  interrupt(): Promise<HostAnswer<"interrupt">> {
    return this.#connection.ask("interrupt");
  }

  setModel(model: string | null): Promise<HostAnswer<"set_model">> {
    return this.#connection.ask("set_model", { model });
  }

  setPermissionMode(mode: string): Promise<HostAnswer<"set_permission_mode">> {
    return this.#connection.ask("set_permission_mode", { mode });
  }

  setMaxThinkingTokens(tokens: number | null): Promise<HostAnswer<"set_max_thinking_tokens">> {
    return this.#connection.ask("set_max_thinking_tokens", { max_thinking_tokens: tokens });
  }

  contextUsage(): Promise<HostAnswer<"get_context_usage">> {
    return this.#connection.ask("get_context_usage");
  }

  mcpStatus(): Promise<HostAnswer<"mcp_status">> {
    return this.#connection.ask("mcp_status");
  }

  setMcpServers(servers: object): Promise<HostAnswer<"mcp_set_servers">> {
    return this.#connection.ask("mcp_set_servers", { servers });
  }

  toggleMcpServer(serverName: string, enabled: boolean): Promise<HostAnswer<"mcp_toggle">> {
    return this.#connection.ask("mcp_toggle", { serverName, enabled });
  }

  reconnectMcpServer(serverName: string): Promise<HostAnswer<"mcp_reconnect">> {
    return this.#connection.ask("mcp_reconnect", { serverName });
  }

  /** Restores files to their state at a message of the user; `dryRun` only lists the changes. */
  rewindFiles(
    messageUuid: string,
    options: { dryRun?: boolean } = {},
  ): Promise<HostAnswer<"rewind_files">> {
    const dry_run = options.dryRun ?? false;
    return this.#connection.ask("rewind_files", { user_message_id: messageUuid, dry_run });
  }

  /**
   * Changes the policy. Leaving a policy that decides without a person takes effect at once. A
   * policy is refused if it needs a hook that this run was started without.
   */
  setPolicy(policy: Policy): Promise<void> {
    return this.#connection.setPolicy(policy);
  }

  /** Sends any other control request by its name. */
  request(
    subtype: string,
    fields: object = {},
    options: { signal?: AbortSignal; timeoutMs?: number } = {},
  ): Promise<unknown> {
    return this.#connection.request(
      { ...fields, subtype },
      { timeoutMs: REQUEST_TIMEOUT_MS, ...options },
    );
  }

  /** Interrupts a running turn, waits briefly for its end, then ends the run. */
  async stop(): Promise<RunEnd> {
    await this.#connection.interruptAndWait();
    await this.#connection.end();
    return this.run.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection.end();
  }
}

/** An aborted signal also stops a driver that still waits for its agent. */
async function startRun(driver: Driver, launch: Launch, signal?: AbortSignal): Promise<Run> {
  const giveUp = () => driver.giveUp?.(launch);
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    return await driver.start(launch);
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}

function closeOnAbort(run: Run, signal: AbortSignal | undefined): void {
  const close = () => void run.close();
  if (signal?.aborted) return close();
  signal?.addEventListener("abort", close, { once: true });
  void run.closed.then(() => signal?.removeEventListener("abort", close));
}

/** Creates the fields of `initialize` that the launch determines. */
function withLaunchFields(options: HostOptions, { renewSystemPrompt }: Launch): HostOptions {
  if (renewSystemPrompt !== true) return options;
  return { ...options, initialize: { ...options.initialize, systemPromptSnapshot: false } };
}
