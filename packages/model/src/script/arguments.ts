import type { ApiError, ScriptedUsage } from "./types.ts";

/** What Anthropic's API calls the error that goes with a status. */
const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const usageNames: Record<string, keyof ScriptedUsage> = {
  input: "input",
  output: "output",
  cache_read: "cacheRead",
  cache_creation: "cacheCreation",
};

export function wholeNumber(text: string, what: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new Error(`expected ${what}`);
  return value;
}

/** Between `least` and `most` whole numbers, separated by blanks. */
export function numbers(text: string, least: number, most: number): number[] {
  const parts = text.split(/\s+/).filter(Boolean);
  if (parts.length < least || parts.length > most) throw new Error("expected whole numbers");
  return parts.map((part) => wholeNumber(part, "whole numbers"));
}

/** Reads `x3`; nothing means once. */
export function times(text: string): number {
  if (text === "") return 1;
  const count = Number(/^x(\d+)$/.exec(text)?.[1] ?? 0);
  if (count < 1) throw new Error(`"${text}" is not a number of times, such as x2`);
  return count;
}

/** Reads what follows `error`: STATUS [TYPE] [xTIMES] [MESSAGE]. */
export function errorFrom(text: string): { times: number; error: ApiError } {
  const words = text.split(/\s+/).filter(Boolean);
  const status = wholeNumber(words.shift() ?? "", "an HTTP status, such as 529");
  if (status < 400 || status > 599) throw new Error("an error's status lies between 400 and 599");
  const named = words[0] !== undefined && /^[a-z]+(_[a-z]+)+$/.test(words[0]);
  const type = (named && words.shift()) || (errorTypes[status] ?? "api_error");
  const counted = words[0] !== undefined && /^x\d+$/.test(words[0]);
  const count = times(counted ? (words.shift() ?? "") : "");
  return { times: count, error: { status, type, message: words.join(" ") || sentence(type) } };
}

export function usageFrom(text: string): Partial<ScriptedUsage> {
  const usage: Partial<ScriptedUsage> = {};
  const pairs = text.split(/\s+/).filter(Boolean);
  if (pairs.length === 0) throw new Error("usage needs at least one count");
  for (const pair of pairs) {
    const [name = "", count = ""] = pair.split("=", 2);
    const key = Object.hasOwn(usageNames, name) ? usageNames[name] : undefined;
    if (!key) throw new Error(`"${name}" is not a kind of token`);
    usage[key] = wholeNumber(count, `a number of tokens after ${name}=`);
  }
  return usage;
}

function sentence(type: string): string {
  const words = type.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
