import type { SessionsObserver } from "../session/ingest-observer.ts";

/** Where traces go. */
export interface TracingOptions {
  /** The base address of an OTLP receiver, to which `/v1/traces` is added. */
  readonly endpoint: string;
  /** Whether spans carry the lines of the conversation, without secrets. */
  readonly withPayloads: boolean;
}

export interface Tracing extends SessionsObserver, AsyncDisposable {}

/** What the environment says about tracing, by the usual variables of OpenTelemetry; undefined: it is off. */
export function readTracingOptions(
  environment: Readonly<Record<string, string | undefined>>,
): TracingOptions | undefined {
  const endpoint = environment["OTEL_EXPORTER_OTLP_ENDPOINT"]?.trim() ?? "";
  const isOff = environment["OTEL_SDK_DISABLED"] === "true";
  if (endpoint === "" || isOff) return undefined;
  return { endpoint, withPayloads: environment["SIGNALBOX_TRACE_PAYLOADS"] === "1" };
}

/** Loads OpenTelemetry only when traces are wanted, because nobody else should pay for it. */
export async function openTracing(
  options: TracingOptions | undefined,
  version: string,
): Promise<Tracing | undefined> {
  if (!options) return undefined;
  const { openOtlpTracing } = await import("./otlp-tracing.ts");
  return openOtlpTracing(options, version);
}
