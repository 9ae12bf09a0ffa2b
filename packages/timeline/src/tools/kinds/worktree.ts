import type { JsonObject } from "@signalbox/protocol";
import { extractText } from "../../tool-payload/content.ts";
import type { ToolResult, Worktree } from "../../tool-payload/payload.ts";
import {
  toFields,
  flag,
  omitUndefined,
  number,
  stringifyOrUndefined,
  nonEmptyString,
} from "../../tool-payload/values.ts";

export function worktreeCall(name: string, input: JsonObject): Worktree {
  return omitUndefined({
    kind: "worktree" as const,
    operation: name === "EnterWorktree" ? ("enter" as const) : ("exit" as const),
    name: stringifyOrUndefined(input["name"]),
    path: stringifyOrUndefined(input["path"]),
    action: stringifyOrUndefined(input["action"]),
    discardChanges: flag(input["discard_changes"]),
  });
}

export function worktreeResult(payload: Worktree, { content, structured }: ToolResult): Worktree {
  const from = toFields(structured);
  const output = omitUndefined({
    message: nonEmptyString(from["message"]) ?? extractText(content),
    path: nonEmptyString(from["worktreePath"]),
    branch: nonEmptyString(from["worktreeBranch"]),
    originalPath: nonEmptyString(from["originalCwd"]),
    discardedFiles: number(from["discardedFiles"]),
    discardedCommits: number(from["discardedCommits"]),
  });
  return { ...payload, output };
}
