import type { StrayLine } from "@signalbox/protocol/wire";
import type { Ask, Decision } from "./ask.ts";
import type { CallCheckOptions } from "./call-check.ts";
import type { Hook } from "./hooks.ts";
import type { InProcessMcpServer } from "./in-process-mcp.ts";
import type { LineObserver } from "./observer.ts";
import type { Policy } from "./policy.ts";

/**
 * Answers an ask. The signal is aborted when the agent withdraws the ask; a later answer is
 * ignored.
 */
export type Decide = (ask: Ask, signal: AbortSignal) => Decision | Promise<Decision>;

export interface HostOptions {
  readonly policy?: Policy;
  /** Asks a person. Without it, everything that asks is denied. */
  readonly onAsk?: Decide;
  readonly hooks?: readonly Hook[];
  /** MCP servers that live in this process, by name. */
  readonly mcpServers?: Readonly<Record<string, InProcessMcpServer>>;
  /** More fields for `initialize`, such as `agents` or `systemPrompt`. */
  readonly initialize?: Readonly<Record<string, unknown>>;
  readonly initializeTimeoutMs?: number;
  /** Called for each call that did not run as shown or asked. */
  readonly callCheck?: CallCheckOptions;
  readonly onStray?: (stray: StrayLine) => void;
  /** Receives every line, in both directions, before it is handled. */
  readonly observer?: LineObserver;
  /** False: `lines` stays empty, for a host whose observer handles all lines. */
  readonly bufferLines?: boolean;
  /** Ends the run when it is aborted, also while it is starting. */
  readonly signal?: AbortSignal;
}
