/** A span as a receiver of OTLP over HTTP gets it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly events?: readonly { readonly name: string; readonly attributes: readonly object[] }[];
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

/** A receiver on loopback that keeps every span it is sent. With `hangs` it never answers. */
export function startOtlpReceiver({ hangs = false } = {}) {
  const spans: ReceivedSpan[] = [];
  let requests = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    reusePort: false,
    development: false,
    idleTimeout: 0,
    async fetch(request) {
      requests++;
      if (hangs) return new Promise<Response>(() => {});
      const { resourceSpans } = (await request.json()) as ExportRequest;
      for (const { scopeSpans } of resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans);
      return Response.json({});
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    countRequests: () => requests,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
