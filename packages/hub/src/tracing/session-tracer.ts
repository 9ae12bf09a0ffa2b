import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import type { Decoded } from "@signalbox/protocol";
import type { TimelineEvent } from "@signalbox/timeline";
import type { ReceivedLine } from "../link/received-line.ts";
import type { BatchTimes, IngestObserver } from "../session/ingest-observer.ts";
import { createPayloads } from "./payload.ts";
import { getRunContext, type RunIdGenerator } from "./run-context.ts";
import { readControlStep } from "./control-step.ts";

type EventOfType<T extends TimelineEvent["type"]> = Extract<TimelineEvent, { type: T }>;

interface SessionTracerOptions {
  readonly tracer: Tracer;
  readonly ids: RunIdGenerator;
  /** Whether spans carry the lines and events that they stand for. */
  readonly withPayloads: boolean;
}

/** One line on its way into spans. */
interface Step {
  readonly received: ReceivedLine;
  readonly decoded: Decoded;
  readonly event?: TimelineEvent;
}

/**
 * Makes spans of one session: a span for each turn (`streamjson.prompt`) with one below it for each block, call,
 * result and control message, and beside the turns the way of the lines through Signalbox (`signalbox.path`).
 */
export class SessionTracer implements IngestObserver {
  readonly #session: string;
  readonly #options: SessionTracerOptions;
  #runSpan: Span | undefined;
  #turn: { readonly span: Span; readonly context: Context } | undefined;
  /** Spans of the turn that last: blocks, calls and requests, by their ids. */
  readonly #open = new Map<string, Span>();
  /** The hook event of each callback that the agent waits for. */
  readonly #hookCalls = new Map<string, string>();

  constructor(session: string, options: SessionTracerOptions) {
    this.#session = session;
    this.#options = options;
  }

  onLine(received: ReceivedLine, decoded: Decoded, events: readonly TimelineEvent[]): void {
    this.#onControl({ received, decoded });
    for (const event of events) this.#onEvent({ received, decoded, event }, event);
  }

  onBatch(times: BatchTimes): void {
    const { run, lines } = times;
    const start = (name: string, at: number, parent: Context) =>
      this.#options.tracer.startSpan(name, { startTime: at }, parent);
    const path = start("signalbox.path", times.firstReadAt, this.#runContext(run));
    path.setAttributes({ "signalbox.lines": lines, "signalbox.session": this.#session });
    const context = trace.setSpan(ROOT_CONTEXT, path);
    const steps = [
      ["signalbox.driver_read", times.firstReadAt, times.lastReadAt],
      ["signalbox.link", times.lastReadAt, times.receivedAt],
      ["signalbox.commit", times.commitStartedAt, times.committedAt],
      ["signalbox.publish", times.committedAt, times.publishedAt],
    ] as const;
    // Clocks of two machines may differ: no span ends before it starts.
    for (const [name, from, to] of steps) start(name, from, context).end(Math.max(from, to));
    path.end(Math.max(times.firstReadAt, times.publishedAt));
  }

  onDropped(lines: number): void {
    this.#turn?.span.addEvent("lines dropped", { "signalbox.lines": lines });
  }

  #onControl(step: Step): void {
    const control = readControlStep(step.decoded, this.#hookCalls);
    if (control?.kind === "request") {
      const { subtype, requestId } = control;
      const name = `streamjson.control.control_request.${subtype}`;
      const attributes = { "signalbox.request": requestId };
      this.#openSpan(`request ${requestId}`, name, step, attributes);
    } else if (control?.kind === "answer") {
      this.#endOpen(`request ${control.requestId}`, step);
      const name =
        control.hook === undefined ? "permission_response" : `hook_response.${control.hook}`;
      const attributes = { "signalbox.request": control.requestId };
      this.#addInstant(`streamjson.control.${name}`, step, attributes);
    }
  }

  #onEvent(step: Step, event: TimelineEvent): void {
    switch (event.type) {
      case "run-started":
        return this.#startRun(step, event);
      case "run-ended":
        return this.#endRun(step, event);
      case "turn-started":
        return this.#startTurn(step, event.turn);
      case "turn-ended":
        return this.#endTurn(step, event);
      case "session-started":
        return this.#addInstant("streamjson.system", step, toModel(event.model));
      case "context-changed":
        return this.#addInstant("streamjson.context_window", step, {
          "signalbox.context.used": event.used,
          "signalbox.context.window": event.window,
        });
      case "block-started":
        return this.#startBlock(step, event);
      case "block-settled":
        return this.#settleBlock(step, event);
      case "tool-called":
        return this.#startCall(step, event);
      case "tool-updated":
        return this.#updateCall(step, event);
      default:
    }
  }

  #startRun({ received }: Step, { run, driver, version, model }: EventOfType<"run-started">): void {
    this.#runSpan?.end(received.at);
    const { ids, tracer } = this.#options;
    const attributes = {
      ...this.#common(),
      ...toModel(model),
      "signalbox.run": run,
      "signalbox.driver": driver,
      "signalbox.agent.version": version,
    };
    const options = { root: true, startTime: received.at, attributes };
    this.#runSpan = ids.withIds(getRunContext(run), () =>
      tracer.startSpan("signalbox.run", options, ROOT_CONTEXT),
    );
  }

  #endRun({ received }: Step, { status, sentence }: EventOfType<"run-ended">): void {
    this.#closeTurn(received.at);
    if (status === "crashed") {
      this.#runSpan?.setStatus({
        code: SpanStatusCode.ERROR,
        ...(sentence !== undefined && { message: sentence }),
      });
    }
    this.#runSpan?.end(received.at);
    this.#runSpan = undefined;
  }

  #startTurn({ received }: Step, turn: number): void {
    this.#closeTurn(received.at);
    const attributes = {
      ...this.#common(),
      "gen_ai.operation.name": "invoke_agent",
      "signalbox.turn": turn,
    };
    const options = { startTime: received.at, attributes };
    const parent = this.#runContext(received.run);
    const span = this.#options.tracer.startSpan("streamjson.prompt", options, parent);
    this.#turn = { span, context: trace.setSpan(ROOT_CONTEXT, span) };
  }

  #endTurn(step: Step, event: EventOfType<"turn-ended">): void {
    const { inputTokens, outputTokens, costUsd, status, error } = event;
    const figures: Attributes = {
      "signalbox.turn.status": status,
      ...(inputTokens !== undefined && { "gen_ai.usage.input_tokens": inputTokens }),
      ...(outputTokens !== undefined && { "gen_ai.usage.output_tokens": outputTokens }),
      ...(costUsd !== undefined && { "signalbox.turn.cost_usd": costUsd }),
    };
    this.#addInstant("streamjson.complete", step, figures);
    this.#turn?.span.setAttributes(figures);
    if (status === "error" || status === "crashed") {
      this.#turn?.span.setStatus({
        code: SpanStatusCode.ERROR,
        ...(error !== undefined && { message: error }),
      });
    }
    this.#closeTurn(step.received.at);
  }

  /** Ends the turn's span with everything below it that has not ended by itself. */
  #closeTurn(at: number): void {
    for (const span of this.#open.values()) span.end(at);
    this.#open.clear();
    this.#hookCalls.clear();
    this.#turn?.span.end(at);
    this.#turn = undefined;
  }

  #startBlock(step: Step, { block, kind, lane }: EventOfType<"block-started">): void {
    const name = blockNames[kind];
    if (name !== undefined)
      this.#openSpan(`block ${block}`, name, step, { "signalbox.lane": lane });
  }

  #settleBlock(step: Step, { block, kind, lane, text }: EventOfType<"block-settled">): void {
    const name = blockNames[kind];
    if (name === undefined) return;
    const key = `block ${block}`;
    if (!this.#open.has(key)) this.#openSpan(key, name, step, { "signalbox.lane": lane });
    this.#open.get(key)?.setAttribute("signalbox.characters", text.length);
    this.#endOpen(key, step);
  }

  #startCall(step: Step, { callId, name, lane }: EventOfType<"tool-called">): void {
    const key = `call ${callId}`;
    if (this.#open.has(key)) return;
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": callId,
      "signalbox.lane": lane,
    };
    this.#openSpan(key, "streamjson.tool_call", step, attributes);
  }

  #updateCall(step: Step, { callId, status }: EventOfType<"tool-updated">): void {
    if (status === "preparing" || status === "running") return;
    this.#addInstant("streamjson.tool_update", step, {
      "gen_ai.tool.call.id": callId,
      "signalbox.tool.status": status,
    });
    const span = this.#open.get(`call ${callId}`);
    if (status === "error") span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.setAttribute("signalbox.tool.status", status);
    span?.end(step.received.at);
    this.#open.delete(`call ${callId}`);
  }

  #endOpen(key: string, step: Step): void {
    const span = this.#open.get(key);
    if (!span) return;
    this.#open.delete(key);
    this.#addPayloads(span, step);
    span.end(step.received.at);
  }

  #openSpan(key: string, name: string, step: Step, attributes: Attributes): void {
    const span = this.#startSpan(name, step, attributes);
    if (span) this.#open.set(key, span);
  }

  #addInstant(name: string, step: Step, attributes: Attributes): void {
    this.#startSpan(name, step, attributes)?.end(step.received.at);
  }

  /** Starts a span below the turn. What is outside of any turn, such as a figure that the host asks for, has none. */
  #startSpan(name: string, step: Step, attributes: Attributes): Span | undefined {
    if (!this.#turn) return undefined;
    const options = { startTime: step.received.at, attributes };
    const span = this.#options.tracer.startSpan(name, options, this.#turn.context);
    this.#addPayloads(span, step);
    return span;
  }

  #addPayloads(span: Span, { received, decoded, event }: Step): void {
    if (!this.#options.withPayloads) return;
    for (const { name, attributes } of createPayloads(decoded, event))
      span.addEvent(name, attributes, received.at);
  }

  #runContext(run: string | null): Context {
    return run === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, getRunContext(run));
  }

  #common(): Attributes {
    return {
      "signalbox.session": this.#session,
      "gen_ai.conversation.id": this.#session,
      "gen_ai.provider.name": "anthropic",
    };
  }
}

/** The spans of blocks. A tool's block becomes a call, which has a span of its own. */
const blockNames: Readonly<Record<string, string | undefined>> = {
  text: "streamjson.message_chunk",
  thinking: "streamjson.reasoning",
};

function toModel(model: string | undefined): Attributes {
  return model === undefined ? {} : { "gen_ai.request.model": model };
}
