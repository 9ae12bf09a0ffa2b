import type { JsonObject } from "@signalbox/protocol/wire";
import type { Birth } from "../../agent.ts";
import { SPOKEN_VERSION } from "../../version.ts";
import type { Settings } from "../settings.ts";
import { isRecord } from "../tools/schema.ts";
import { type Channel, hostChannel, type ServerConfig } from "./channel.ts";
import { configured, readConfig, type Scope } from "./config.ts";
import { httpChannel, SessionLost } from "./http-channel.ts";
import type { RequestOptions } from "./pending.ts";
import type { Listener } from "./server-messages.ts";
import { sseChannel } from "./sse-channel.ts";
import { stdioChannel } from "./stdio-channel.ts";
import { listTools, type McpTool, toolsIn } from "./tool-list.ts";

export interface McpServer {
  readonly name: string;
  readonly config: ServerConfig;
  readonly scope: Scope;
  status: "pending" | "connected" | "failed" | "disabled";
  error?: string;
  info?: JsonObject;
  capabilities: JsonObject;
  tools: readonly McpTool[];
  channel?: Channel;
}

const CONNECT_MS = 30_000;
const VERSION = "2025-11-25";
const ownInfo = { name: "signalbox-agent", version: "0.1.0" };
/** Hosts that have servers of their own know one client alone. */
const spokenInfo = {
  name: "claude-code",
  title: "Claude Code",
  description: "Anthropic's agentic coding tool",
  websiteUrl: "https://claude.com/claude-code",
  version: SPOKEN_VERSION,
};
const NO_SERVER = "This configuration has neither a command nor a url.";

/** The MCP servers of a session: from `--mcp-config`, `.mcp.json`, the host, and `mcp_set_servers`. */
export class McpServers {
  readonly #birth: Birth;
  readonly #servers = new Map<string, McpServer>();
  readonly #inWork = new WeakSet<McpServer>();
  #connecting: Promise<unknown> | undefined;

  constructor(birth: Birth, settings: Settings) {
    this.#birth = birth;
    for (const { name, config, scope } of configured(birth, settings)) {
      this.#servers.set(name, newServer(name, config, scope));
    }
  }

  get all(): McpServer[] {
    return [...this.#servers.values()];
  }

  get tools(): McpTool[] {
    return this.all.filter(({ status }) => status === "connected").flatMap(({ tools }) => tools);
  }

  get(name: string): McpServer | undefined {
    return this.#servers.get(name);
  }

  /** Servers inside the host. What a manifest tells of one is not asked again. */
  addHostServers(
    names: readonly string[],
    manifests: Readonly<Record<string, JsonObject>> = {},
  ): void {
    for (const name of names) {
      const server = newServer(name, { type: "sdk", name }, "dynamic");
      this.#servers.set(name, server);
      const { initializeResult: hello, toolsListResult: list } = manifests[name] ?? {};
      if (!isRecord(hello) || hello["protocolVersion"] !== VERSION || !isRecord(list)) continue;
      takeHello(server, hello);
      server.tools = toolsIn(name, list);
      server.channel = hostChannel(name, this.#birth.host, 2);
      server.status = "connected";
    }
  }

  /** Connects what is not connected yet; resolves when each is up or has failed. */
  ready(): Promise<unknown> | undefined {
    const waiting = this.all.filter(
      (server) => server.status === "pending" && !this.#inWork.has(server),
    );
    if (waiting.length > 0) {
      const before = this.#connecting ?? Promise.resolve();
      const all = [before, ...waiting.map((server) => this.#connect(server))];
      const connecting = Promise.all(all).finally(() => {
        if (this.#connecting === connecting) this.#connecting = undefined;
      });
      this.#connecting = connecting;
    }
    return this.#connecting;
  }

  /** Replaces the servers that were added while it runs. */
  async set(servers: Readonly<Record<string, unknown>>): Promise<JsonObject> {
    const wanted = Object.entries(servers).flatMap(([name, config]) => {
      const read = readConfig(config);
      return read ? [[name, read] as const] : [];
    });
    const removed = this.all.filter(
      ({ name, config }) =>
        !wanted.some(([other]) => other === name) && (this.#set.has(name) || config.type === "sdk"),
    );
    for (const { name, channel } of removed) {
      channel?.close();
      this.#servers.delete(name);
      this.#set.delete(name);
    }
    const added: string[] = [];
    for (const [name, config] of wanted) {
      const before = this.#servers.get(name);
      if (before && JSON.stringify(before.config) === JSON.stringify(config)) continue;
      before?.channel?.close();
      this.#servers.set(name, newServer(name, config, "dynamic"));
      this.#set.add(name);
      added.push(name);
    }
    const ready = this.ready();
    const made = added.flatMap((name) => this.#servers.get(name) ?? []);
    // A server inside the host answers when it has our answer.
    if (!made.some(({ config }) => config.type === "sdk")) await ready;
    const errors = made.flatMap(({ name, error }) => (error === undefined ? [] : [[name, error]]));
    const unread = Object.keys(servers).filter((name) => !wanted.some(([other]) => other === name));
    return {
      added,
      removed: removed.map(({ name }) => name),
      errors: Object.fromEntries([...errors, ...unread.map((name) => [name, NO_SERVER])]),
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
    return this.#connectAnew(server);
  }

  async #connectAnew(server: McpServer): Promise<void> {
    server.channel?.close();
    server.status = "pending";
    await this.ready();
    if (server.error !== undefined) throw new Error(server.error);
  }

  async toggle(name: string, enabled: boolean): Promise<void> {
    const server = this.#servers.get(name);
    if (!server) throw new Error(`Server not found: ${name}`);
    if (enabled) return this.#connectAnew(server);
    server.status = "disabled";
    server.channel?.close();
    server.tools = [];
    delete server.error;
    delete server.info;
  }

  close(): void {
    for (const { channel } of this.all) channel?.close();
  }

  async #connect(server: McpServer): Promise<void> {
    delete server.error;
    this.#inWork.add(server);
    try {
      const channel = this.#open(server);
      server.channel = channel;
      await this.#greet(server, channel);
      server.tools =
        server.capabilities["tools"] === undefined ? [] : await listTools(server.name, channel);
      if (isDisabled(server)) return channel.close();
      server.status = "connected";
      void this.#watch(channel);
    } catch (cause) {
      if (isDisabled(server)) return;
      server.status = "failed";
      server.error = (cause as Error).message;
      server.channel?.close();
    } finally {
      this.#inWork.delete(server);
    }
  }

  async #greet(server: McpServer, channel: Channel): Promise<void> {
    const options = { timeoutMs: Number(this.#birth.environment["MCP_TIMEOUT"]) || CONNECT_MS };
    const isHosts = server.config.type === "sdk";
    const hello = await channel.request(
      "initialize",
      {
        protocolVersion: VERSION,
        capabilities: isHosts ? {} : { roots: {} },
        clientInfo: isHosts ? spokenInfo : ownInfo,
      },
      options,
    );
    takeHello(server, isRecord(hello) ? hello : {});
    await channel.notify("notifications/initialized");
  }

  /** Asks a server something. One that has forgotten us meanwhile is greeted and asked again. */
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
      if (!(cause instanceof SessionLost)) throw cause;
      this.#gone.add(channel);
      return (await this.#reach(name)).request(method, params, options);
    }
  }

  /** The way to a server. One that went away counts as connected: it is started again when it is
   * wanted. */
  async #reach(name: string): Promise<Channel> {
    const server = this.#servers.get(name);
    if (!server?.channel || server.status !== "connected") throw notConnected(name);
    if (!this.#gone.has(server.channel)) return server.channel;
    const revival = this.#revivals.get(server) ?? this.#revive(server);
    this.#revivals.set(server, revival);
    return revival.finally(() => this.#revivals.delete(server));
  }
  readonly #gone = new WeakSet<Channel>();
  readonly #revivals = new Map<McpServer, Promise<Channel>>();

  async #revive(server: McpServer): Promise<Channel> {
    const channel = this.#open(server);
    try {
      await this.#greet(server, channel);
    } catch {
      channel.close();
      throw notConnected(server.name);
    }
    if (server.status !== "connected") {
      channel.close(); // switched off meanwhile
      throw notConnected(server.name);
    }
    server.channel = channel;
    void this.#watch(channel);
    return channel;
  }

  async #watch(channel: Channel): Promise<void> {
    await channel.closed;
    this.#gone.add(channel);
  }

  #listener(name: string): Listener {
    const onToolsChanged = () => void this.#listAgain(name).catch(() => {}); // the old list stands
    return { folder: this.#birth.folder, onToolsChanged };
  }

  async #listAgain(name: string): Promise<void> {
    const server = this.#servers.get(name);
    if (!server?.channel || server.status !== "connected") return;
    server.tools = await listTools(name, server.channel);
  }

  #open({ name, config }: McpServer): Channel {
    if (config.type === "sdk") return hostChannel(name, this.#birth.host);
    if (config.type === "sse") return sseChannel(config, this.#listener(name));
    if ("url" in config) return httpChannel(config);
    return stdioChannel(config, this.#birth, this.#listener(name));
  }
}

/** Where a server comes from, as hosts are told. */
export function sourceOf({ config, scope }: McpServer): string {
  return config.type === "sdk" ? "sdk" : scope;
}

const notConnected = (name: string): Error => new Error(`MCP server "${name}" is not connected`);

/** By a host that did not wait for it to be connected. */
const isDisabled = ({ status }: McpServer): boolean => status === "disabled";

function takeHello(server: McpServer, { serverInfo, capabilities }: JsonObject): void {
  if (isRecord(serverInfo)) server.info = serverInfo;
  server.capabilities = isRecord(capabilities) ? capabilities : {};
}

function newServer(name: string, config: ServerConfig, scope: Scope): McpServer {
  return { name, config, scope, status: "pending", capabilities: {}, tools: [] };
}
