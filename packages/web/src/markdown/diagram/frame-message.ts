/** A message from a diagram's frame. It renders untrusted text, so its messages are validated. */
type FrameMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "drawn"; readonly height: number }
  | { readonly kind: "failed"; readonly problem: string };

/** The largest height of a frame; larger diagrams scroll inside. */
const MAX_HEIGHT = 1200;
const MIN_HEIGHT = 24;

export function parseFrameMessage(data: unknown): FrameMessage | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { ready, height, problem } = data as Record<string, unknown>;
  if (ready === true) return { kind: "ready" };
  if (typeof height === "number" && Number.isFinite(height)) {
    return { kind: "drawn", height: Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, height)) };
  }
  if (typeof problem === "string") return { kind: "failed", problem: problem.slice(0, 500) };
  return undefined;
}
