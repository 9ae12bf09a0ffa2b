import type { AgentContext } from "@signalbox/agent";
import type { Channel } from "./channel.ts";
import { reconnect } from "./reconnect.ts";
import { initializeServer } from "./initialize-server.ts";
import { isThere, type McpServer } from "./server.ts";

interface ChannelFactoryOptions {
  readonly environment: AgentContext["environment"];
  readonly open: (server: McpServer) => Promise<Channel>;
  /** Whether the server was neither removed nor replaced. */
  readonly isKnown: (server: McpServer) => boolean;
  readonly listAgain: (server: McpServer) => Promise<void>;
  /** Servers that must not be connected by anyone else at the moment. */
  readonly inWork: WeakSet<McpServer>;
}

/** The channels to connected servers, which may be lost and restored. */
export class ChannelFactory {
  readonly #parts: ChannelFactoryOptions;
  readonly #closedChannels = new WeakSet<Channel>();
  readonly #revivals = new Map<McpServer, Promise<Channel>>();

  constructor(parts: ChannelFactoryOptions) {
    this.#parts = parts;
  }

  /** Returns the channel to a server, and starts or connects it again if it was lost. */
  async getChannel(server: McpServer): Promise<Channel> {
    if (server.channel && !this.#closedChannels.has(server.channel)) return server.channel;
    return this.#getRevival(server);
  }

  /** Forgets a channel that is closed. */
  forgetChannel(channel: Channel): void {
    this.#closedChannels.add(channel);
  }

  /**
   * Handles a lost connection: a program is restarted when it is needed, and a remote server is
   * reconnected.
   */
  async watch(server: McpServer, channel: Channel): Promise<void> {
    await channel.closed;
    this.forgetChannel(channel);
    if (!("url" in server.config) || server.channel !== channel || !this.#isKept(server)) return;
    const { inWork } = this.#parts;
    server.status = "pending";
    inWork.add(server);
    channel.close();
    const isAway = () => this.#isKept(server) && server.channel === channel;
    const failure = await reconnect(() => this.#getRevival(server), isAway);
    inWork.delete(server);
    if (!failure) return;
    server.status = "failed";
    server.error = failure.message;
    server.tools = [];
  }

  #isKept(server: McpServer): boolean {
    return this.#parts.isKnown(server) && isThere(server);
  }

  #getRevival(server: McpServer): Promise<Channel> {
    const revival = this.#revivals.get(server) ?? this.#revive(server);
    this.#revivals.set(server, revival);
    return revival.finally(() => this.#revivals.delete(server));
  }

  async #revive(server: McpServer): Promise<Channel> {
    const { open, environment, listAgain } = this.#parts;
    const channel = await open(server);
    try {
      await initializeServer(server, channel, environment);
      if (!this.#isKept(server)) throw new Error("it is not wanted any more");
    } catch (cause) {
      channel.close();
      throw cause;
    }
    server.channel = channel;
    server.status = "connected";
    void this.watch(server, channel);
    if ("url" in server.config) await listAgain(server).catch(() => {}); // The old list is kept.
    return channel;
  }
}
