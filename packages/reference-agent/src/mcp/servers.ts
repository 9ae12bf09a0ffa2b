import { join } from "node:path";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { AgentContext, ElicitationResult } from "@signalbox/agent";
import { getConfigFolder } from "../session.ts";
import type { Settings } from "../settings.ts";
import { untilAborted } from "../until-aborted.ts";
import { type Channel, hostChannel } from "./channel.ts";
import { readConfiguredServers } from "./config.ts";
import { initializeServer, PROTOCOL_VERSION } from "./initialize-server.ts";
import { NotSignedIn, SessionLost } from "./http-failure.ts";
import { SignInStore } from "./sign-in-store.ts";
import type { RequestOptions } from "./pending.ts";
import { clean } from "./names.ts";
import { listPrompts, type McpPrompt } from "./prompts.ts";
import type { Question } from "./question.ts";
import type { Listener } from "./server-messages.ts";
import {
  isDisabled,
  isThere,
  type McpServer,
  needsAuth,
  newServer,
  takeFailure,
  takeHello,
} from "./server.ts";
import { getSetting } from "./set-servers.ts";
import { SignIns } from "./sign-ins.ts";
import { listTools, type McpTool, toolsIn } from "./tool-list.ts";
import { ChannelFactory } from "./channel-factory.ts";

/** Callbacks to ask people and to inform them. */
interface People {
  ask(server: string, question: Question, signal: AbortSignal): Promise<ElicitationResult>;
  completed(server: string, elicitationId: string): void;
  /** Called when the prompts of servers have changed. */
  promptsChanged(): void;
}

/** The MCP servers of a session: from `--mcp-config`, `.mcp.json`, the host, and `mcp_set_servers`. */
export class McpServers {
  readonly #context: AgentContext;
  readonly #people: People;
  readonly signIns: SignIns;
  readonly #servers = new Map<string, McpServer>();
  readonly #inWork = new WeakSet<McpServer>();
  readonly #ways: ChannelFactory;
  #connecting: Promise<unknown> | undefined;

  constructor(context: AgentContext, settings: Settings, people: People) {
    this.#context = context;
    this.#people = people;
    this.#ways = new ChannelFactory({
      environment: context.environment,
      open: (server) => this.#open(server),
      isKnown: (server) => this.#servers.get(server.name) === server,
      listAgain: (server) => this.#listAgain(server),
      inWork: this.#inWork,
    });
    const folder = getConfigFolder(context.environment);
    this.signIns = new SignIns(new SignInStore(join(folder, "signalbox-mcp-sign-ins.json")));
    for (const { name, config, scope, isOff } of readConfiguredServers(context, settings)) {
      const server = newServer(name, config, scope);
      if (isOff) server.status = "disabled";
      this.#servers.set(name, server);
    }
  }

  get all(): McpServer[] {
    return [...this.#servers.values()];
  }

  get tools(): McpTool[] {
    return this.all.filter(isThere).flatMap(({ tools }) => tools);
  }

  /**
   * The prompts of all servers. Servers inside the host are omitted, because their host knows their
   * prompts.
   */
  get prompts(): McpPrompt[] {
    return this.all.filter(isThere).flatMap(({ prompts }) => prompts);
  }

  get(name: string): McpServer | undefined {
    return this.#servers.get(name);
  }

  /**
   * Adds servers inside the host. What a manifest contains about a server is not requested again.
   */
  addHostServers(
    names: readonly string[],
    manifests: Readonly<Record<string, JsonObject>> = {},
  ): void {
    for (const name of names) {
      const server = newServer(name, { type: "sdk", name }, "dynamic");
      this.#servers.set(name, server);
      const { initializeResult: hello, toolsListResult: list } = manifests[name] ?? {};
      if (!isObject(hello) || hello["protocolVersion"] !== PROTOCOL_VERSION || !isObject(list))
        continue;
      takeHello(server, hello);
      server.tools = toolsIn(name, list);
      server.channel = hostChannel(name, this.#context.host, this.#listener(server), 2);
      server.status = "connected";
    }
  }

  /**
   * Connects all servers that are not connected yet. Resolves when each is connected or has failed.
   */
  ready(): Promise<unknown> | undefined {
    const waiting = this.all.filter(
      (server) => server.status === "pending" && !this.#inWork.has(server),
    );
    if (waiting.length > 0) void this.#begin(waiting);
    return this.#connecting;
  }

  /** Settles when a server that may offer this tool has been initialized, or has failed. */
  async waitForTool(tool: string, signal: AbortSignal): Promise<void> {
    const isIts = ({ name }: McpServer) => tool.startsWith(`mcp__${clean(name)}__`);
    const isGreeted = (server: McpServer) => server.status === "pending" && isIts(server);
    if (this.all.some(isGreeted)) await untilAborted(this.ready(), signal);
  }

  /** Starts to connect these servers. Turns wait for them. */
  #begin(servers: readonly McpServer[]): Promise<unknown> {
    const connected = async (server: McpServer) => {
      await this.#connect(server);
      this.#people.promptsChanged();
    };
    const begun = Promise.all(servers.map(connected));
    this.#track(begun);
    return begun;
  }

  #track(begun: Promise<unknown>): void {
    const connecting = Promise.all([this.#connecting, begun]).finally(() => {
      if (this.#connecting === connecting) this.#connecting = undefined;
    });
    this.#connecting = connecting;
  }

  /**
   * Replaces the servers that were added during the session. Programs and remote servers are
   * connected, or have failed, before it answers; servers inside the host are initialized after the
   * answer.
   */
  async set(wanted: Readonly<Record<string, JsonObject>>): Promise<JsonObject> {
    const { removed, left, servers, added } = getSetting(this.all, wanted, this.#set);
    for (const { channel } of left) channel?.close();
    this.#servers.clear();
    for (const server of servers) this.#servers.set(server.name, server);
    this.#set.clear();
    for (const name of Object.keys(wanted)) this.#set.add(name);
    const [hosts, programs] = [added.filter(isHosts), added.filter((one) => !isHosts(one))];
    this.#people.promptsChanged();
    await this.#begin(programs.filter(({ status }) => status === "pending"));
    if (hosts.length > 0) setImmediate(() => void this.ready());
    const errors = programs.flatMap(({ name, status, error }) =>
      status === "connected" ? [] : [[name, error ?? `Server status: ${status}`]],
    );
    return {
      added: added.map(({ name }) => name),
      removed: removed.map(({ name }) => name),
      errors: Object.fromEntries(errors),
    };
  }
  readonly #set = new Set<string>();

  async reconnect(name: string): Promise<void> {
    const server = this.#servers.get(name);
    if (!server) throw new Error(`Server not found: ${name}`);
    if (isDisabled(server)) {
      throw new Error(
        `MCP server ${name} is disabled — enable it (mcp_toggle) before reconnecting`,
      );
    }
    if (isHosts(server)) throw new Error(`MCP server ${name} is its host's to connect`);
    return this.#connectAnew(server);
  }

  async #connectAnew(server: McpServer): Promise<void> {
    server.channel?.close();
    delete server.channel;
    server.status = "pending";
    this.#inWork.delete(server);
    const connected = this.#connect(server);
    this.#track(connected);
    await connected;
    setImmediate(() => this.#people.promptsChanged()); // Changes are announced after the answer.
    if (server.error !== undefined) throw new Error(server.error);
    if (needsAuth(server)) throw new Error("Server status: needs-auth");
  }

  async toggle(name: string, enabled: boolean): Promise<void> {
    const server = this.#servers.get(name);
    if (!server) throw new Error(`Server not found: ${name}`);
    if (enabled) return server.status === "connected" ? undefined : this.#connectAnew(server);
    server.status = "disabled";
    server.channel?.close();
    server.tools = [];
    server.prompts = [];
    setImmediate(() => this.#people.promptsChanged()); // Changes are announced after the answer.
    delete server.error;
    delete server.info;
  }

  close(): void {
    for (const server of this.all) {
      server.status = "failed"; // It must not be started again.
      server.channel?.close();
    }
  }

  async #connect(server: McpServer): Promise<void> {
    delete server.error;
    this.#inWork.add(server);
    try {
      const channel = await this.#open(server);
      server.channel = channel;
      await initializeServer(server, channel, this.#context.environment);
      server.tools =
        server.capabilities["tools"] === undefined
          ? []
          : // The server works without tools, too.
            await listTools(server.name, channel).catch(() => []);
      server.prompts =
        server.capabilities["prompts"] === undefined || isHosts(server)
          ? []
          : await listPrompts(server.name, channel).catch(() => []);
      if (isDisabled(server)) return channel.close();
      server.status = "connected";
      void this.#ways.watch(server, channel);
    } catch (cause) {
      if (isDisabled(server)) return;
      takeFailure(server, cause as Error);
      server.channel?.close();
    } finally {
      this.#inWork.delete(server);
    }
  }

  /** Handles a message that a server inside the host sends by itself. */
  onServerMessage(name: string, message: JsonObject): void {
    this.#servers.get(name)?.channel?.onMessage?.(message);
  }

  /**
   * Calls a tool of a server. Time that a person takes to answer the server's questions does not
   * count.
   */
  async call(name: string, params: JsonObject, options: RequestOptions): Promise<unknown> {
    const calls = this.#servers.get(name)?.calls;
    if (!calls) throw new Error(TAKEN_AWAY);
    const isHeld = () => calls.isAsking;
    return calls.call(() => this.ask(name, "tools/call", params, { ...options, isHeld }));
  }

  /**
   * Sends a request to a server. If the server has forgotten the session, it is initialized and
   * asked again.
   */
  async ask(
    name: string,
    method: string,
    params?: JsonObject,
    options?: RequestOptions,
  ): Promise<unknown> {
    const channel = await this.#reach(name);
    try {
      return await channel.request(method, params, options);
    } catch (cause) {
      if (!this.#isForgotten(name, cause)) throw cause;
      this.#ways.forgetChannel(channel);
      return (await this.#reach(name)).request(method, params, options);
    }
  }

  /**
   * Whether initializing the server again may help: the server was restarted, or the sign-in has
   * expired.
   */
  #isForgotten(name: string, cause: unknown): boolean {
    if (cause instanceof SessionLost) return true;
    const config = this.#servers.get(name)?.config;
    if (!(cause instanceof NotSignedIn) || !config || !("url" in config)) return false;
    return this.signIns.has(name, config.url);
  }

  async #reach(name: string): Promise<Channel> {
    const server = this.#servers.get(name);
    if (server && isDisabled(server)) throw new Error(isHosts(server) ? TAKEN_AWAY : off(name));
    if (!server?.channel || !isThere(server)) throw notConnected(name);
    return this.#ways.getChannel(server).catch(() => {
      throw notConnected(name);
    });
  }

  #listener(server: McpServer): Listener {
    const { name, calls, config } = server;
    const either = {
      onToolsChanged: () => void this.#listAgain(server).catch(() => {}), // The old list is kept.
      onElicited: (id: string) => this.#people.completed(name, id),
    };
    if (config.type === "sdk") return either;
    return {
      ...either,
      folder: this.#context.folder,
      elicit: async (question, signal) => {
        if (this.#servers.get(name)?.status !== "connected") return { action: "cancel" };
        return calls.asking(signal, (either) => this.#people.ask(name, question, either));
      },
    };
  }

  async #listAgain(server: McpServer): Promise<void> {
    if (!server.channel || server.status !== "connected") return;
    server.tools = await listTools(server.name, server.channel);
  }

  async #open(server: McpServer): Promise<Channel> {
    const { name, config } = server;
    const listener = this.#listener(server);
    if (config.type === "sdk") return hostChannel(name, this.#context.host, listener);
    // Most sessions have no such servers, so the code is loaded when there is one.
    if (!("url" in config)) {
      const { stdioChannel } = await import("./stdio-channel.ts");
      return stdioChannel(config, this.#context, listener);
    }
    const [{ withHelpedHeaders }, { httpChannel }, { sseChannel }] = await Promise.all([
      import("./headers.ts"),
      import("./http-channel.ts"),
      import("./sse-channel.ts"),
    ]);
    const helped = await withHelpedHeaders(name, config, this.#context);
    const signed = await this.signIns.withToken(name, helped);
    return config.type === "sse" ? sseChannel(signed, listener) : httpChannel(signed, listener);
  }
}

const isHosts = ({ config }: McpServer): boolean => config.type === "sdk";

const TAKEN_AWAY = "Not connected";

const off = (name: string): string =>
  `MCP server "${name}" is disabled — re-enable it via /mcp to use its tools`;

const notConnected = (name: string): Error => new Error(`MCP server "${name}" is not connected`);
