import type { StrayLine } from "@signalbox/protocol/wire";
import type { Ask, Decision } from "./ask.ts";
import type { CallCheckOptions } from "./call-check.ts";
import type { Hook } from "./hooks.ts";
import type { InProcessMcpServer } from "./in-process-mcp.ts";
import type { LineObserver } from "./observer.ts";
import type { Policy } from "./policy.ts";

/** Answers an ask. Aborted when the agent withdraws it; what is answered then goes nowhere. */
export type Decide = (ask: Ask, signal: AbortSignal) => Decision | Promise<Decision>;

export interface HostOptions {
  readonly policy?: Policy;
  /** Without it nobody can be asked, and what asks is denied. */
  readonly onAsk?: Decide;
  readonly hooks?: readonly Hook[];
  /** MCP servers that live in this process, by name. */
  readonly mcpServers?: Readonly<Record<string, InProcessMcpServer>>;
  /** More fields for `initialize`, such as `agents` or `systemPrompt`. */
  readonly initialize?: Readonly<Record<string, unknown>>;
  readonly initializeTimeoutMs?: number;
  /** Marks calls that ran otherwise than was shown or asked. */
  readonly callCheck?: CallCheckOptions;
  readonly onStray?: (stray: StrayLine) => void;
  /** Sees every line, both ways, before anyone acts on it. */
  readonly observer?: LineObserver;
  /** False: nothing waits in `lines`, which is empty then; for a host whose observer takes all lines. */
  readonly bufferLines?: boolean;
  /** Ends the run when it is aborted, also one that is only about to start. */
  readonly signal?: AbortSignal;
}
