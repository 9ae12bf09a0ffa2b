import { ModelError } from "../errors.ts";
import type { SourceLine } from "./lines.ts";
import { numbers, errorFrom, times, usageFrom, wholeNumber } from "./arguments.ts";
import type { ApiError, Directive, ScriptStep } from "./types.ts";

type Rule = { usage: string; read: (line: SourceLine) => Directive };

const overloaded = { status: 529, type: "overloaded_error", message: "Overloaded" };
const mostBytes = 256 * 1024 * 1024; // one string holds this much on every runtime

const step = (step: ScriptStep): Directive => ({ kind: "step", step });
const failing = (times: number, error: ApiError) =>
  step({ do: "fail", times, failure: { kind: "error", error } });

/** Every directive: how it is written, and how a line of it is read. */
const rules: Record<string, Rule> = {
  say: { usage: "say TEXT", read: (line) => step({ do: "say", text: readText(line) }) },
  think: { usage: "think TEXT", read: (line) => step({ do: "think", text: readText(line) }) },
  tool: { usage: "tool NAME {json}", read: readTool },
  next: { usage: "next", read: (line) => nothingAfter(line, { kind: "next" }) },
  wait: {
    usage: "wait MS",
    read: (line) => step({ do: "wait", ms: wholeNumber(line.rest, "a number of milliseconds") }),
  },
  stall: { usage: "stall", read: (line) => nothingAfter(line, step({ do: "stall" })) },
  cut: {
    usage: "cut [xTIMES]",
    read: (line) => step({ do: "fail", times: times(line.rest), failure: { kind: "cut" } }),
  },
  error: { usage: "error STATUS [TYPE] [xTIMES] [MESSAGE]", read: readError },
  overload: {
    usage: "overload [xTIMES]",
    read: (line) => failing(times(line.rest), overloaded),
  },
  "rate-limit": { usage: "rate-limit [SECONDS] [xTIMES]", read: readRateLimit },
  flood: { usage: "flood WORDS [PER_SECOND]", read: readFlood },
  long: { usage: "long BYTES", read: readLong },
  usage: {
    usage: "usage [input=N] [output=N] [cache_read=N] [cache_creation=N]",
    read: (line) => ({ kind: "usage", usage: usageFrom(line.rest) }),
  },
  stop: { usage: "stop REASON", read: readStop },
};

/** How each directive is written, in the order of the documentation. */
const usages = Object.values(rules).map((rule) => rule.usage);

/** Reads one line; a line that makes no sense throws SCRIPT_INVALID and says what would. */
export function readDirective(line: SourceLine): Directive {
  const rule = Object.hasOwn(rules, line.word) ? rules[line.word] : undefined;
  if (!rule)
    throw invalid(line, `unknown directive "${line.word}"; allowed: ${usages.join(" | ")}`);
  try {
    return rule.read(line);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw invalid(line, `${why}; allowed: ${rule.usage}`, cause);
  }
}

export function invalid({ line, text }: SourceLine, why: string, cause?: unknown) {
  return new ModelError("SCRIPT_INVALID", { line, text, why }, cause ? { cause } : {});
}

function readText(line: SourceLine): string {
  if (line.body !== undefined) {
    if (line.rest !== "") throw new Error("text stands either on the line or below it, not both");
    return line.body;
  }
  if (line.rest === "") throw new Error(`${line.word} needs a text`);
  return line.rest;
}

function nothingAfter(line: SourceLine, directive: Directive): Directive {
  if (line.rest !== "") throw new Error(`${line.word} stands alone on its line`);
  return directive;
}

function readTool(line: SourceLine): Directive {
  const [, name = "", onLine = ""] = /^(\S*)\s*([^]*)$/.exec(line.rest) ?? [];
  if (name === "" || name.startsWith("{")) throw new Error("tool needs the name of a tool");
  if (line.body !== undefined && onLine !== "") {
    throw new Error("the input stands either on the line or below it, not both");
  }
  const json = (line.body ?? onLine).trim() || "{}";
  const input = parseJson(json, name);
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new Error(`the input of ${name} must be a JSON object`);
  }
  return step({ do: "tool", name, input });
}

function parseJson(json: string, tool: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    const why = cause instanceof Error ? ` (${cause.message})` : "";
    throw new Error(`the input of ${tool} is not JSON${why}`, { cause });
  }
}

function readError(line: SourceLine): Directive {
  const { times, error } = errorFrom(line.rest);
  return failing(times, error);
}

function readRateLimit(line: SourceLine): Directive {
  const [, seconds = "1", rest = ""] = /^(?:(\d+)(?=\s|$))?\s*([^]*)$/.exec(line.rest) ?? [];
  return failing(times(rest), {
    status: 429,
    type: "rate_limit_error",
    message: "This request would exceed your account's rate limit. Please try again later.",
    retryAfterSeconds: Number(seconds),
  });
}

function readFlood(line: SourceLine): Directive {
  const [words = 0, perSecond] = numbers(line.rest, 1, 2);
  return step({ do: "flood", words, ...(perSecond ? { perSecond } : {}) });
}

function readLong(line: SourceLine): Directive {
  const bytes = wholeNumber(line.rest, "a number of bytes");
  if (bytes > mostBytes) throw new Error(`at most ${mostBytes} bytes fit into one delta`);
  return step({ do: "long", bytes });
}

function readStop(line: SourceLine): Directive {
  if (!/^[a-z_]+$/.test(line.rest)) throw new Error("stop needs a reason, such as max_tokens");
  return { kind: "stop", reason: line.rest };
}
