import { toShortText } from "../../text/body.ts";
import { Facts } from "../parts/facts.tsx";
import { PlainProse } from "../parts/prose.tsx";
import { formatCount } from "../../text/format.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";
import { strings } from "../../strings/strings.ts";

const text = strings.tools;

export function WorktreeView({ item, payload }: ToolProps<"worktree">) {
  const { output } = payload;
  return (
    <ToolCard
      item={item}
      name={payload.operation === "enter" ? text.enterWorktree : text.leaveWorktree}
      title={toShortText(payload.name ?? output?.branch ?? payload.path ?? payload.action)}
    >
      {output && (
        <div className="card-section">
          <Facts
            facts={[
              [text.worktree.branch, toShortText(output.branch)],
              [text.worktree.folder, toShortText(output.path)],
              [text.worktree.originalFolder, toShortText(output.originalPath)],
              [
                text.worktree.discarded,
                describeDiscarded(output.discardedFiles, output.discardedCommits),
              ],
            ]}
          />
          <PlainProse body={output.message} className="mt-2 text-dim" />
        </div>
      )}
    </ToolCard>
  );
}

function describeDiscarded(files = 0, commits = 0): string {
  if (files === 0 && commits === 0) return "";
  return `${formatCount(files, "file")}, ${formatCount(commits, "commit")}`;
}
