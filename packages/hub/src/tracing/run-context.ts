import { createHash, randomBytes } from "node:crypto";
import type { SpanContext } from "@opentelemetry/api";
import type { IdGenerator } from "@opentelemetry/sdk-trace-base";

/** `TraceFlags.SAMPLED`. */
const SAMPLED = 1;

/**
 * The trace of a run and the id of its root span. Both are made of the run's id, so that a hub that is started
 * again goes on with the same trace.
 */
export function getRunContext(run: string): SpanContext {
  const hash = createHash("sha256").update(`signalbox run ${run}`).digest("hex");
  const [traceId, spanId] = [hash.slice(0, 32), hash.slice(32, 48)];
  return { traceId, spanId, traceFlags: SAMPLED, isRemote: true };
}

/** The W3C form of a context, as the variable TRACEPARENT carries it. */
export function formatTraceParent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${SAMPLED}`;
}

/** Makes random ids, unless the next span is the root span of a run. */
export class RunIdGenerator implements IdGenerator {
  #next: SpanContext | undefined;

  /** Calls back while the span that is started gets the ids of this context. */
  withIds<T>(context: SpanContext, startSpan: () => T): T {
    this.#next = context;
    try {
      return startSpan();
    } finally {
      this.#next = undefined;
    }
  }

  generateTraceId(): string {
    return this.#next?.traceId ?? randomBytes(16).toString("hex");
  }

  generateSpanId(): string {
    return this.#next?.spanId ?? randomBytes(8).toString("hex");
  }
}
