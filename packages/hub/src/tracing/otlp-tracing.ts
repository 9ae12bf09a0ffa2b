import { setTimeout as sleep } from "node:timers/promises";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { formatTraceParent, getRunContext, RunIdGenerator } from "./run-context.ts";
import { SessionTracer } from "./session-tracer.ts";
import type { Tracing, TracingOptions } from "./tracing.ts";

const EXPORT_TIMEOUT_MS = 10_000;
/** Spans beyond this number are dropped while the receiver does not answer. */
const MAX_QUEUED_SPANS = 4096;
/** How long the end of the hub waits for the last spans. */
const SHUTDOWN_TIMEOUT_MS = 2000;

/** Sends spans to an OTLP receiver. One that hangs or fails costs the spans and nothing else. */
export function openOtlpTracing(
  { endpoint, withPayloads }: TracingOptions,
  version: string,
): Tracing {
  const ids = new RunIdGenerator();
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor(exporter, {
    maxQueueSize: MAX_QUEUED_SPANS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    spanProcessors: [processor],
    resource: resourceFromAttributes({ "service.name": "signalbox", "service.version": version }),
  });
  const tracer = provider.getTracer("signalbox", version);
  return {
    observe: (session) => new SessionTracer(session, { tracer, ids, withPayloads }),
    runEnvironment: (run) => ({ TRACEPARENT: formatTraceParent(getRunContext(run)) }),
    async [Symbol.asyncDispose]() {
      await Promise.race([
        provider.shutdown().catch(() => {}),
        sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false }),
      ]);
    },
  };
}
