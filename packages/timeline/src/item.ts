import type { PromptContext } from "@signalbox/protocol/wire";
import type { ContentPart, TimelineEvent, ToolStatus } from "./event.ts";
import type { ToolPayload } from "./tools/index.ts";

/** One thing a person sees in a conversation. Plain data; `rev` grows with every change. */
export type Item = {
  readonly id: string;
  /** The item's position in the conversation, which never changes. */
  readonly order: number;
  /** The tool call that a subagent's items belong to. */
  readonly parent?: string;
  readonly turn: number;
  /** When it began, in milliseconds, if the log has the time. */
  readonly at?: number;
  readonly rev: number;
} & ItemBody;

/** The fields of a turn's end. Every item has the number of its turn. */
type TurnFacts = Omit<Extract<TimelineEvent, { type: "turn-ended" }>, "type" | "turn">;

/** A period of time, in milliseconds, if the log has the times. */
export interface WaitPeriod {
  readonly from: number;
  readonly to?: number;
}

/** Why a call ran otherwise than a person could expect. */
interface ToolMark {
  readonly how: "unasked" | "changed";
  readonly text: string;
  /** The input with which it ran, as JSON. */
  readonly ran?: string;
}

/** Background work that a call has started. Its state differs from the call's. */
export interface BackgroundWork {
  readonly taskId: string;
  readonly status: string;
  /** What the work is doing now. */
  readonly progress?: string;
  /** What it reported at its end. */
  readonly summary?: string;
  readonly tokens?: number;
  readonly toolUses?: number;
  readonly durationMs?: number;
}

export type ItemBody =
  | {
      readonly kind: "prompt";
      /** The message's uuid, if the item has another id. */
      readonly uuid?: string;
      readonly content: string | readonly ContentPart[];
      /** What the program in which it was written attached to it. `content` is without it. */
      readonly context?: PromptContext;
      readonly origin: "person" | "agent";
      readonly arrived: boolean;
      readonly state?: string;
    }
  | { readonly kind: "text"; readonly text: string; readonly live: boolean }
  | {
      readonly kind: "thinking";
      readonly text: string;
      readonly live: boolean;
      /** When the thought was complete, in milliseconds, if the log has the time. */
      readonly endedAt?: number;
    }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly title: string;
      readonly status: ToolStatus;
      readonly payload?: ToolPayload;
      /**
       * The input while it is being written, and the block that contains it, until the call is
       * complete.
       */
      readonly inputText?: string;
      readonly block?: string;
      readonly elapsedSeconds?: number;
      readonly endedAt?: number;
      /**
       * When the call waited for a person. Without `to` it is still waiting, or ended while it did.
       */
      readonly waits?: readonly WaitPeriod[];
      readonly summary?: string;
      /**
       * The call ran otherwise than a person could expect: without a request, or with another input
       * (JSON).
       */
      readonly mark?: ToolMark;
      /** The background work that the call started, which continues after the call is settled. */
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
      /** The input of the ask, or as the person edited it, with the answers to a question. */
      readonly input: unknown;
      /** The call's input before a person edited it. */
      readonly inputBefore?: unknown;
      readonly suggestions: readonly unknown[];
      readonly reason?: string;
      /** `cancelled`: withdrawn, or its run ended. `expired`: nobody answered in time. */
      readonly status: "open" | "answered" | "cancelled" | "expired";
      readonly behavior?: string;
      readonly message?: string;
      /** The person also asked for the turn to stop. */
      readonly interrupt?: true;
      /** The permissions that were granted permanently with the answer. */
      readonly granted?: readonly unknown[];
      /** The name of the device that answered. */
      readonly by?: string;
    }
  | ({ readonly kind: "turn-end" } & TurnFacts)
  | {
      readonly kind: "task";
      readonly description: string;
      readonly status: string;
      readonly callId?: string;
      readonly endedAt?: number;
      /** What the task is doing now. */
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
      /** `aside`: written for the model, not for a person. */
      readonly level: string;
      readonly text: string;
      readonly details?: unknown;
    }
  | { readonly kind: "opaque"; readonly why: string; readonly name: string; readonly raw: string };

export type ItemOfKind<K extends Item["kind"]> = Extract<Item, { kind: K }>;
