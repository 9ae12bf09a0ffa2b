import { isObject } from "@signalbox/protocol/wire";
/** A difference between two normalized recordings: a path, and the value of each. */
export interface Difference {
  readonly path: string;
  readonly real: unknown;
  readonly ours: unknown;
}

export function differences(real: unknown, ours: unknown, path = ""): Difference[] {
  if (Object.is(real, ours)) return [];
  if (Array.isArray(real) && Array.isArray(ours)) return ofLists(real, ours, path);
  if (isObject(real) && isObject(ours)) {
    const keys = [...new Set([...Object.keys(real), ...Object.keys(ours)])];
    return keys.flatMap((key) => differences(real[key], ours[key], `${path}.${key}`));
  }
  return [{ path, real, ours }];
}

function ofLists(real: readonly unknown[], ours: readonly unknown[], path: string): Difference[] {
  const kinds = [real.map(getKind), ours.map(getKind)];
  if (JSON.stringify(kinds[0]) !== JSON.stringify(kinds[1])) {
    return [{ path: `${path}[]`, real: kinds[0], ours: kinds[1] }];
  }
  return real.flatMap((entry, at) => differences(entry, ours[at], `${path}[${named(entry, at)}]`));
}

/** Returns the kind of a message in a word. The order of these is compared first. */
function getKind(value: unknown): unknown {
  if (!isObject(value)) return typeof value === "object" ? "list" : value;
  const { type, subtype, request, message, event, state, status } = value as Record<string, never>;
  const inner = (request as { subtype?: string } | undefined)?.subtype;
  const content = (message as { content?: unknown } | undefined)?.content;
  const blocks = Array.isArray(content)
    ? content.map((block: { type: string }) => block.type).join("+")
    : undefined;
  const step = (event as { type?: string } | undefined)?.type;
  return [type, subtype, inner, blocks, step, state, status].filter(Boolean).join("/");
}

function named(value: unknown, at: number): string {
  const kind = getKind(value);
  return typeof kind === "string" && kind !== "" && isObject(value) ? `${at}:${kind}` : String(at);
}
