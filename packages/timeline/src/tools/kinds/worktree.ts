import type { JsonObject } from "@signalbox/protocol";
import { textOf } from "../content.ts";
import type { ToolResult, Worktree } from "../payload.ts";
import { fieldsOf, flag, given, number, saidOrNone, words } from "../values.ts";

export function worktreeCall(name: string, input: JsonObject): Worktree {
  return given({
    kind: "worktree" as const,
    operation: name === "EnterWorktree" ? ("enter" as const) : ("exit" as const),
    name: saidOrNone(input["name"]),
    path: saidOrNone(input["path"]),
    action: saidOrNone(input["action"]),
    discardChanges: flag(input["discard_changes"]),
  });
}

export function worktreeResult(payload: Worktree, { content, structured }: ToolResult): Worktree {
  const from = fieldsOf(structured);
  const output = given({
    message: words(from["message"]) ?? textOf(content),
    path: words(from["worktreePath"]),
    branch: words(from["worktreeBranch"]),
    originalPath: words(from["originalCwd"]),
    discardedFiles: number(from["discardedFiles"]),
    discardedCommits: number(from["discardedCommits"]),
  });
  return { ...payload, output };
}
