import type { ContentPart, TimelineEvent, ToolStatus } from "./event.ts";
import type { ToolPayload } from "./tools/index.ts";

/** One thing a person sees in a conversation. Plain data; `rev` grows with every change. */
export type Item = {
  readonly id: string;
  /** Its place in the conversation: never changes. */
  readonly order: number;
  /** The tool call that a subagent's items belong to. */
  readonly parent?: string;
  readonly turn: number;
  /** When it began, in milliseconds, where the log knows. */
  readonly at?: number;
  readonly rev: number;
} & ItemBody;

/** What the event of a turn's end tells; which turn it was, every item says. */
type TurnFacts = Omit<Extract<TimelineEvent, { type: "turn-ended" }>, "type" | "turn">;

/** A stretch of time, in milliseconds, where the log knows. */
export interface WaitPeriod {
  readonly from: number;
  readonly to?: number;
}

/** Why a call ran otherwise than a person could expect. */
export interface ToolMark {
  readonly how: "unasked" | "changed";
  readonly text: string;
  /** The input with which it ran, as JSON. */
  readonly ran?: string;
}

/** Work that a call has launched: its state is another than the call's. */
export interface BackgroundWork {
  readonly taskId: string;
  readonly status: string;
  /** What it is doing just now. */
  readonly progress?: string;
  /** What it reported in the end. */
  readonly summary?: string;
  readonly tokens?: number;
  readonly toolUses?: number;
  readonly durationMs?: number;
}

export type ItemBody =
  | {
      readonly kind: "prompt";
      /** The message's, where the item's id is another. */
      readonly uuid?: string;
      readonly content: string | readonly ContentPart[];
      readonly origin: "person" | "agent";
      readonly arrived: boolean;
      readonly state?: string;
    }
  | { readonly kind: "text"; readonly text: string; readonly live: boolean }
  | { readonly kind: "thinking"; readonly text: string; readonly live: boolean }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly title: string;
      readonly status: ToolStatus;
      readonly payload?: ToolPayload;
      /** The input as it is being written, and the block it is written in, until the call is whole. */
      readonly inputText?: string;
      readonly block?: string;
      readonly elapsedSeconds?: number;
      readonly endedAt?: number;
      /** When it stood still because a person was asked about it; without `to`, it still does or ended so. */
      readonly waits?: readonly WaitPeriod[];
      readonly summary?: string;
      /** It ran otherwise than a person could expect: without a request, or with another input (JSON). */
      readonly mark?: ToolMark;
      /** What it has set going, which works on when the call is settled. */
      readonly background?: BackgroundWork;
    }
  | { readonly kind: "block"; readonly block: ContentPart; readonly live: boolean }
  | {
      readonly kind: "ask";
      readonly ask: string;
      readonly title: string;
      readonly description?: string;
      readonly tool?: string;
      readonly callId?: string;
      readonly agentId?: string;
      readonly blockedPath?: string;
      /** As it was asked, or as the person changed it, with the answers to a question. */
      readonly input: unknown;
      /** What a call was to do before a person changed it. */
      readonly inputBefore?: unknown;
      readonly suggestions: readonly unknown[];
      readonly reason?: string;
      /** `cancelled`: withdrawn, or its run ended. `expired`: nobody answered in time. */
      readonly status: "open" | "answered" | "cancelled" | "expired";
      readonly behavior?: string;
      readonly message?: string;
      /** The turn was to stop along with the answer. */
      readonly interrupt?: true;
      /** What was allowed for good along with it. */
      readonly granted?: readonly unknown[];
      /** Who answered, as a person named the device. */
      readonly by?: string;
    }
  | ({ readonly kind: "turn-end" } & TurnFacts)
  | {
      readonly kind: "task";
      readonly description: string;
      readonly status: string;
      readonly callId?: string;
      readonly endedAt?: number;
      /** What it is doing just now. */
      readonly progress?: string;
      readonly summary?: string;
      readonly outputFile?: string;
    }
  | {
      readonly kind: "hook";
      readonly name: string;
      readonly event: string;
      readonly state: string;
      readonly output?: string;
      readonly outcome?: string;
      readonly exitCode?: number;
    }
  | {
      readonly kind: "compaction";
      readonly state: "running" | "done" | "failed";
      readonly trigger?: string;
      readonly tokensBefore?: number;
      readonly tokensAfter?: number;
      readonly summary?: string;
      readonly error?: string;
    }
  | {
      readonly kind: "notice";
      /** `aside`: said to the model, not to a person. */
      readonly level: string;
      readonly text: string;
      readonly details?: unknown;
    }
  | { readonly kind: "opaque"; readonly why: string; readonly name: string; readonly raw: string };

export type ItemOfKind<K extends Item["kind"]> = Extract<Item, { kind: K }>;
