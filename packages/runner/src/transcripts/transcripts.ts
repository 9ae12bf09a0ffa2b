import type { FrameToHubOfType, Order, OrderOfKind } from "@signalbox/api/link";
import { toProblem } from "../supervise/order-error.ts";
import { TranscriptList } from "./transcript-list.ts";
import { TranscriptReads } from "./transcript-reads.ts";

type TranscriptOrder = OrderOfKind<"list-transcripts" | "read-transcript">;

interface TranscriptsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Sends a frame if the hub is connected, and drops it otherwise: the hub then asks again. */
  readonly send: (
    frame: FrameToHubOfType<"transcript" | "done">,
    lines?: readonly string[],
  ) => void;
}

export function isTranscriptOrder(order: Order): order is TranscriptOrder {
  return order.kind === "list-transcripts" || order.kind === "read-transcript";
}

/** Answers the hub's orders about Claude Code's transcripts. Answers are large, and none is kept. */
export class Transcripts {
  readonly #options: TranscriptsOptions;
  readonly #list: TranscriptList;
  readonly #reads = new TranscriptReads();

  constructor(options: TranscriptsOptions) {
    this.#options = options;
    this.#list = new TranscriptList(options.environment);
  }

  async execute(id: string, order: TranscriptOrder): Promise<void> {
    const { send } = this.#options;
    try {
      if (order.kind === "list-transcripts") {
        send({ type: "done", id, result: await this.#list.list(order) });
        return;
      }
      const { frame, lines } = await this.#reads.read(order);
      send({ type: "transcript", id, ...frame }, lines);
    } catch (failure) {
      send({ type: "done", id, problem: toProblem(failure) });
    }
  }
}
