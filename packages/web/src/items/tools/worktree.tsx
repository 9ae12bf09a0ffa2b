import { brief } from "../../text/body.ts";
import { Facts } from "../parts/facts.tsx";
import { Words } from "../parts/prose.tsx";
import { counted } from "../../text/format.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

export function WorktreeView({ item, payload }: ToolProps<"worktree">) {
  const { output } = payload;
  return (
    <ToolCard
      item={item}
      name={payload.operation === "enter" ? "Into a worktree" : "Out of the worktree"}
      title={brief(payload.name ?? output?.branch ?? payload.path ?? payload.action)}
    >
      {output && (
        <div className="card-section">
          <Facts
            facts={[
              ["branch", brief(output.branch)],
              ["folder", brief(output.path)],
              ["came from", brief(output.originalPath)],
              ["discarded", discarded(output.discardedFiles, output.discardedCommits)],
            ]}
          />
          <Words body={output.message} className="mt-2 text-dim" />
        </div>
      )}
    </ToolCard>
  );
}

function discarded(files = 0, commits = 0): string {
  if (files === 0 && commits === 0) return "";
  return `${counted(files, "file")}, ${counted(commits, "commit")}`;
}
