import { AUTHORIZATION_SCHEME } from "@signalbox/api/proof";
import type { Problem } from "@signalbox/api";
import { SignalboxError } from "@signalbox/protocol";
import { HubRefusal, RunnerRefusal } from "../engine.ts";
import { StoreError } from "../store/store.ts";

const titles: Record<number, string> = {
  400: "Bad request",
  401: "Not authenticated",
  403: "Not allowed",
  404: "Not found",
  405: "Wrong method",
  408: "Too slow",
  409: "Conflict",
  410: "Gone",
  413: "Too large",
  415: "Wrong kind of body",
  416: "No such range",
  421: "Wrong host",
  426: "A WebSocket is needed",
  429: "Too many",
  500: "Internal error",
  503: "Not now",
};

function createProblem(status: number, code: string, detail: string): Problem {
  const title = titles[status] ?? (status < 500 ? "Refused" : "Internal error");
  return { type: `urn:signalbox:problem:${code}`, title, status, detail, code };
}

export function problemResponse(
  refusal: HubRefusal,
  headers: Record<string, string> = {},
): Response {
  const body = createProblem(refusal.status, refusal.code, refusal.message);
  return new Response(JSON.stringify(body), {
    status: refusal.status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
}

/** The headers that a client needs with a refusal: how to authenticate, or when to try again. */
export function getRefusalHeaders({ status, code }: HubRefusal): Record<string, string> {
  if (status === 401) return { "www-authenticate": AUTHORIZATION_SCHEME };
  if (status === 429 && code !== "too-many-guesses") return { "retry-after": "1" };
  return {};
}

/** The refusal that an error means for the caller; undefined: the error is the hub's own fault. */
export function toRefusal(error: unknown): HubRefusal | undefined {
  if (error instanceof HubRefusal) return error;
  if (SignalboxError.isAny(error)) {
    const status = error.code === "BAD_INPUT" ? 400 : 503;
    const code = error.code.toLowerCase().replaceAll("_", "-");
    return new RunnerRefusal(status, code, error.message);
  }
  if (error instanceof StoreError && error.why !== "refused" && error.why !== "conflict") {
    return new HubRefusal(503, "store-failed", error.message);
  }
  return undefined;
}
