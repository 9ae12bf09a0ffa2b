import { setImmediate as nextTurn } from "node:timers/promises";
import type { Query, query, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { decode, type JsonObject, SignalboxError, createTransportPair } from "@signalbox/protocol";
import { deferred, type RequestHandler, isObject, Peer } from "@signalbox/protocol/wire";
import type { Driver, UnsupportedOption, Run } from "../../launch/driver.ts";
import type { Launch } from "../../launch/launch.ts";
import {
  getCapabilities,
  claudeCodeCapabilities,
  prepare,
  type Prepared,
} from "../stdio/prepare.ts";
import { toRunEnd, type RunEnd, createRunEnd } from "../../launch/run-end.ts";
import type { AgentProcess } from "../stdio/agent-process.ts";
import { listSupportedRequests } from "../stdio/known-requests.ts";
import { commandLine } from "../stdio/options.ts";
import { startProcess, processOptions, type StdioOptions } from "../stdio/stdio.ts";
import { isOlder } from "../stdio/version.ts";
import { queryRequestHandlers } from "./query-requests.ts";
import { SdkCallbacks } from "./host-callbacks.ts";
import { BridgedProcess } from "./bridged-process.ts";
import { PromptStream } from "./prompt-stream.ts";
import { hookOptions, launchOptions, serverOptions } from "./query-options.ts";

/** With an older Claude Code the SDK refuses to start hooks that fail closed. */
const FAILS_CLOSED = "2.1.325";

/**
 * Runs Claude Code through `query()` of the Agent SDK. To the host it looks like any other agent: the
 * SDK's messages are its lines, and the SDK's callbacks the requests that stand behind them.
 */
export function sdkDriver(options: StdioOptions = {}): Driver {
  return {
    name: "sdk",
    title: "Claude Code through the Agent SDK",
    capabilities: claudeCodeCapabilities,
    start: (launch) => start(launch, options),
  };
}

async function start(wanted: Launch, options: StdioOptions): Promise<Run> {
  const sdk = await import("@anthropic-ai/claude-agent-sdk"); // large, and not every hub has such runs
  const prepared = await prepare(wanted, options);
  const { launch } = prepared;
  const { unsupportedOptions } = commandLine(launch, prepared.agent.version);
  const talk = new SdkRun(sdk.query, launch, prepared, unsupportedOptions, options);
  const supportedRequests = listSupportedRequests(prepared.agent.version);
  return {
    driver: "sdk",
    capabilities: getCapabilities(launch, prepared.agent.version),
    agent: prepared.agent,
    unsupportedOptions,
    ...(prepared.isolation && { isolation: prepared.isolation.state }),
    folder: prepared.folder,
    ...(supportedRequests && { supportedRequests }),
    incoming: talk.incoming,
    closed: talk.closed,
    send: talk.send,
    close: talk.close,
    get pid() {
      return talk.process?.pid;
    },
    get stderr() {
      return talk.process?.stderr ?? "";
    },
    [Symbol.asyncDispose]: talk.close,
  };
}

/** The agent's end of one run, with the SDK behind it. */
class SdkRun {
  process: AgentProcess | undefined;
  readonly #makeQuery: typeof query;
  readonly #launch: Launch;
  readonly #prepared: Prepared;
  readonly #unsupportedOptions: readonly UnsupportedOption[];
  readonly #options: StdioOptions;
  readonly #host: ReturnType<typeof createTransportPair>[0];
  readonly #wire: ReturnType<typeof createTransportPair>[1];
  readonly #peer: Peer;
  readonly #asked: SdkCallbacks;
  readonly #prompts = new PromptStream();
  readonly #abort = new AbortController();
  readonly #end = deferred<RunEnd>();
  #started: Promise<AgentProcess> | undefined;
  #query: Query | undefined;
  #sending: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    makeQuery: typeof query,
    launch: Launch,
    prepared: Prepared,
    unsupportedOptions: readonly UnsupportedOption[],
    options: StdioOptions,
  ) {
    this.#makeQuery = makeQuery;
    this.#launch = launch;
    this.#prepared = prepared;
    this.#unsupportedOptions = unsupportedOptions;
    this.#options = options;
    [this.#host, this.#wire] = createTransportPair();
    this.#asked = new SdkCallbacks((request, signal) => this.#ask(request, signal));
    this.#peer = new Peer({ send: (line) => this.#wire.send(line), handlers: this.#handlers() });
    void this.#listen();
  }

  get incoming(): Run["incoming"] {
    return this.#host.incoming;
  }

  get closed(): Promise<RunEnd> {
    return this.#end.promise;
  }

  readonly send = async (line: string): Promise<void> => {
    try {
      await this.#host.send(line);
    } catch (cause) {
      throw new SignalboxError("CONNECTION_CLOSED", { reason: await this.closed }, { cause });
    }
  };

  /** The input ends, then the ladder of any process of ours; the query is aborted with it. */
  readonly close = (): Promise<void> => (this.#closing ??= this.#stop());

  async #stop(): Promise<void> {
    this.#prompts.end();
    const process = await this.#started?.catch(() => undefined);
    if (process) await process.close();
    this.#abort.abort();
    if (!this.#query) this.#over(createRunEnd("stopped", { how: "its input was closed" }));
    await this.closed;
  }

  /** What the host says: prompts go to the SDK's input, requests to its methods. */
  async #listen(): Promise<void> {
    for await (const batch of this.#wire.incoming) {
      for (const raw of batch) {
        const line = decode(raw);
        if (this.#peer.accept(line) !== "message" || line.kind !== "known") continue;
        if (line.message.type !== "user") continue;
        this.#prompts.push(line.message as unknown as SDKUserMessage);
      }
    }
  }

  #handlers(): Record<string, RequestHandler> {
    const byMethod = Object.entries(queryRequestHandlers).map(
      ([subtype, answer]): [string, RequestHandler] => [
        subtype,
        async (request) => {
          if (!this.#query) throw new Error("the agent was not initialized");
          return answer(this.#query, request);
        },
      ],
    );
    return {
      ...Object.fromEntries(byMethod),
      initialize: (request) => this.#initialize(request),
      mcp_message: ({ server_name, message }) => this.#asked.fromServer(server_name, message),
    };
  }

  async #initialize(fields: JsonObject): Promise<unknown> {
    if (this.#query) throw new Error("Already initialized");
    this.#query = this.#begin(fields);
    void this.#pump(this.#query);
    try {
      return await this.#query.initializationResult();
    } catch (failure) {
      await this.close(); // the host hears why it is over, which says more than this failure
      throw failure;
    }
  }

  #begin(fields: JsonObject): Query {
    const { folder, env, found, agent } = this.#prepared;
    const { hooks, sdkMcpServers, agents, supportedDialogKinds: dialogs } = fields;
    const failsClosed = !isOlder(agent.version, FAILS_CLOSED);
    return this.#makeQuery({
      prompt: this.#prompts,
      options: {
        ...launchOptions(this.#launch, this.#unsupportedOptions),
        ...this.#asked.options,
        ...(isObject(agents) && { agents: agents as never }),
        ...(Array.isArray(dialogs) && { supportedDialogKinds: dialogs.map(String) }),
        hooks: hookOptions(hooks, this.#asked.callHook, failsClosed),
        mcpServers: serverOptions(this.#launch, this.#asked.servers(sdkMcpServers)),
        cwd: folder,
        env,
        pathToClaudeCodeExecutable: found.path,
        abortController: this.#abort,
        spawnClaudeCodeProcess: ({ args, env: environment }) => {
          this.#started = this.#spawn(args, environment);
          return new BridgedProcess(this.#started);
        },
      },
    });
  }

  async #spawn(
    args: readonly string[],
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<AgentProcess> {
    const { folder, runId, found, isolation } = this.#prepared;
    const given = Object.entries(environment).filter(([, value]) => value !== undefined);
    this.process = await startProcess(found.path, {
      ...processOptions(this.#options),
      ...(isolation && { isolation }),
      command: found.command,
      args: [
        ...found.args,
        ...(this.#launch.flags ?? []),
        ...args.slice(args.indexOf(found.path) + 1),
      ],
      folder,
      env: Object.fromEntries(given) as Record<string, string>,
      runId,
      launch: this.#launch,
    });
    return this.process;
  }

  /** Every message of the SDK's is a line of the agent's. */
  async #pump(messages: Query): Promise<void> {
    try {
      for await (const message of messages) {
        this.#sending = this.#wire.send(JSON.stringify(message));
        await this.#sending;
        this.#sending = undefined;
      }
    } catch {
      // Why it is over is told by the process's end.
    }
    try {
      const process = await this.#started;
      await process?.close(); // a query that fails may leave it behind
      const end = await process?.closed;
      this.#over(end ?? createRunEnd("stopped", { how: "its input was closed" }));
    } catch (failure) {
      const { path } = this.#prepared.found;
      this.#over(toRunEnd(failure) ?? createRunEnd("not-started", { path, why: String(failure) }));
    }
  }

  #over(end: RunEnd): void {
    this.#end.resolve(end);
    this.#peer.end(end);
    void this.#wire.close();
  }

  /** Asks after what the SDK has said before, so that the log has it in the agent's order. */
  async #ask(request: { subtype: string } & JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    do {
      await this.#sending;
      await nextTurn();
    } while (this.#sending);
    const answer: unknown = await this.#peer.request(request, signal ? { signal } : {});
    return isObject(answer) ? answer : {};
  }
}
