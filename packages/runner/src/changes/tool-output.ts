import type * as z from "zod";
import { OrderError } from "../supervise/order-error.ts";
import type { CodeHostTool } from "./code-host.ts";

const MAX_TEXT = 20_000;

/** Reads the JSON that `gh` or `glab` has printed. */
export function parseTool<T extends z.ZodType>(
  { name }: CodeHostTool,
  schema: T,
  printed: string,
): z.infer<T> {
  let value: unknown;
  try {
    value = JSON.parse(printed === "" ? "[]" : printed);
  } catch {
    throw new OrderError("tool-failed", `${name} printed no JSON. Update it, then try again.`);
  }
  const { data, success } = schema.safeParse(value);
  if (success) return data;
  throw new OrderError("tool-failed", `${name} printed JSON that Signalbox does not understand.`);
}

/** Only links that a browser may open. */
export function toLink(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) ? url : null;
}

export function toTime(text: string | null | undefined): number | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : at;
}

export function toShownText(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= MAX_TEXT ? trimmed : `${trimmed.slice(0, MAX_TEXT)}…`;
}
