import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { extractText, removeReminder } from "../../tool-payload/content.ts";
import type { CodeSearch, ToolResult } from "../../tool-payload/payload.ts";
import {
  omitUndefined,
  toList,
  number,
  stringify,
  stringifyOrUndefined,
  text,
} from "../../tool-payload/values.ts";

type Output = NonNullable<CodeSearch["output"]>;

export function codeSearchCall(name: string, input: JsonObject): CodeSearch {
  const mode = stringifyOrUndefined(input["output_mode"]);
  return omitUndefined({
    kind: "code_search" as const,
    query: name === "LS" ? undefined : stringifyOrUndefined(input["query"]),
    pattern: stringifyOrUndefined(input["pattern"]),
    path: stringifyOrUndefined(input["path"]),
    glob: stringifyOrUndefined(input["glob"] ?? input["type"]),
    mode: mode ?? modes.get(name),
  });
}
const modes = new Map([
  ["Glob", "files"],
  ["Grep", "files_with_matches"],
  ["LS", "list"],
]);

export function codeSearchResult(payload: CodeSearch, result: ToolResult): CodeSearch {
  const { content, structured } = result;
  const output =
    isObject(structured) && Array.isArray(structured["filenames"])
      ? fromStructured(payload, structured)
      : fromText(payload, removeReminder(extractText(content)));
  return { ...payload, output };
}

function fromStructured(payload: CodeSearch, structured: JsonObject): Output {
  const named = toList(structured["filenames"]).map(stringify);
  const content = text(structured["content"]);
  const found =
    content === undefined
      ? undefined
      : inContent(text(structured["mode"]) ?? payload.mode, content);
  const files = named.length > 0 || !found ? named : found.files;
  const cut = number(structured["appliedLimit"]) !== undefined || structured["timedOut"] === true;
  return omitUndefined({
    files,
    fileCount: Math.max(number(structured["numFiles"]) ?? 0, files.length),
    content,
    matchCount: number(structured["numMatches"]) ?? found?.matches,
    truncated: cut || structured["truncated"] === true,
  });
}

/** Lines around the answer that are not files: a header, a note about pages, a total. */
const remarks =
  /^(?:No files found|No matches found|Found \d+ .*|\[Showing results with .*|\(Results are truncated.*|NOTE: .*)$/;

function fromText(payload: CodeSearch, whole: string): Output {
  const all = whole === "" ? [] : whole.split("\n");
  const lines = all.filter((line) => line !== "" && !remarks.test(line));
  const truncated = /\[Showing results with|\(Results are truncated/.test(whole);
  if (payload.mode === "content" || payload.mode === "count") {
    const content = lines.join("\n");
    const { files, matches } = inContent(payload.mode, content);
    return { files, fileCount: files.length, content, matchCount: matches, truncated };
  }
  if (payload.mode === "list") {
    const files = lines.map((line) => line.trim().replace(/^- /, ""));
    return { files, fileCount: files.length, content: whole, truncated };
  }
  return { files: lines, fileCount: lines.length, truncated };
}

/** "path:12:text" in content mode, "path:3" in count mode; a search of one file omits the path. */
function inContent(mode: string | undefined, content: string) {
  const files = new Set<string>();
  const lines = content === "" ? [] : content.split("\n").filter((line) => line !== "--");
  let matches = 0;
  for (const line of lines) {
    const parts = (mode === "count" ? /^(.+):(\d+)$/ : /^(.+?):(\d+):/).exec(line.slice(0, 5000));
    if (parts?.[1]) files.add(parts[1]);
    if (mode === "count") matches += Number(parts?.[2] ?? line) || 0;
    else if (parts || !/^.+?-\d+-/.test(line.slice(0, 5000))) matches++;
  }
  return { files: [...files], matches };
}
