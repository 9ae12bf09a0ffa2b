import { homedir, hostname, userInfo } from "node:os";
import { join } from "node:path";
import { isObject } from "@signalbox/protocol/wire";
import type { Row } from "./recording-driver.ts";
import { scrubStreams } from "./scrub-streams.ts";

/** What of this machine a recording may have come across. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly temporary: string;
  readonly modelUrl: string;
}

const KEEP = 3;
const LONGEST = 4000;
const repository = join(import.meta.dir, "../..");

/** The rows as they are kept: nothing of this machine, long lists and long texts cut. */
export function scrub(rows: readonly Row[], place: Place): Row[] {
  const scrubText = textScrubber(place);
  const copy = structuredClone(rows) as Row[];
  scrubStreams(copy, scrubText);
  return copy.map((row) => tidy(row, scrubText) as Row);
}

/** Paths as they are, and as Claude Code spells them in folder names (`-tmp-a-b`). */
function textScrubber({ root, home, temporary, modelUrl }: Place): (text: string) => string {
  const slug = (path: string) => path.replaceAll(/[^a-zA-Z0-9]/g, "-");
  const paths: [string, string][] = [
    [home, "/home/dev"],
    [temporary, "/tmp"],
    [root, "/tmp/root"],
    [repository, "/opt/signalbox"],
    [homedir(), "/home/dev"],
  ];
  const pairs = [
    [modelUrl, "http://127.0.0.1:8080"],
    [new URL(modelUrl).host, "127.0.0.1:8080"],
    ...paths,
    ...paths.map(([from, to]) => [slug(from), slug(to)]),
  ] as const;
  const { uid, username } = userInfo();
  const words: [RegExp, string][] = [
    [new RegExp(`\\bclaude-${uid}\\b`, "g"), "claude-1000"],
    [new RegExp(`\\b${username} ${username}\\b`, "g"), "dev dev"], // as `ls -l` has it
    [/(?<dir>\/cc-socks\/)\d+/g, "$<dir>4242"], // a socket named after the process
    [new RegExp(`\\b${username}@`, "g"), "dev@"],
    [new RegExp(`@${hostname()}\\b`, "g"), "@host"],
  ];
  return (text) => {
    const placed = pairs.reduce((said, [from, to]) => said.replaceAll(from, to), text);
    return words.reduce((said, [from, to]) => said.replaceAll(from, to), placed);
  };
}

function tidy(value: unknown, scrubText: (text: string) => string): unknown {
  if (typeof value === "string") return cut(scrubText(value));
  if (Array.isArray(value)) return value.map((item) => tidy(item, scrubText));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, held]): [string, unknown] => {
    if (key === "pid" && typeof held === "number") return [key, 4242];
    const kept = isList(key, held) ? held.slice(0, KEEP).map(shorten) : held;
    return [scrubText(key), tidy(kept, scrubText)];
  });
  return Object.fromEntries(entries);
}

/** What an installation has on offer: long, different everywhere, and nobody's story. */
const offers = new Set(["commands", "models", "slash_commands", "skills", "plugins"]);

function isList(key: string, held: unknown): held is unknown[] {
  if (!Array.isArray(held)) return false;
  return offers.has(key) || (key === "agents" && held.every(isObject));
}

function shorten(item: unknown): unknown {
  const described = isObject(item) && typeof item["description"] === "string";
  return described ? { ...item, description: "A short description." } : item;
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} … (cut)` : text;
}
