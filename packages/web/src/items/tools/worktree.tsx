import { toShortText } from "../../text/body.ts";
import { Facts } from "../parts/facts.tsx";
import { PlainProse } from "../parts/prose.tsx";
import { formatCount } from "../../text/format.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

export function WorktreeView({ item, payload }: ToolProps<"worktree">) {
  const { output } = payload;
  return (
    <ToolCard
      item={item}
      name={payload.operation === "enter" ? "Into a worktree" : "Out of the worktree"}
      title={toShortText(payload.name ?? output?.branch ?? payload.path ?? payload.action)}
    >
      {output && (
        <div className="card-section">
          <Facts
            facts={[
              ["branch", toShortText(output.branch)],
              ["folder", toShortText(output.path)],
              ["came from", toShortText(output.originalPath)],
              ["discarded", describeDiscarded(output.discardedFiles, output.discardedCommits)],
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
