import type { SearchHitView } from "@signalbox/api";
import {
  CircleAlert,
  FileDiff,
  FileText,
  type LucideIcon,
  MessageSquare,
  Search,
  SquareTerminal,
  Wrench,
} from "lucide-react";
import { useSeconds } from "../store/clock.ts";
import { strings } from "../strings/strings.ts";
import { formatAge } from "../text/format-age.ts";
import { baseName } from "../text/path.ts";
import { inert, spelled } from "../text/visible.ts";

const text = strings.palette;

const toolIcons: Readonly<Record<string, LucideIcon>> = {
  Bash: SquareTerminal,
  Edit: FileDiff,
  MultiEdit: FileDiff,
  Write: FileDiff,
  NotebookEdit: FileDiff,
  Read: FileText,
  Grep: Search,
  Glob: Search,
};

/** A message or call that was found: its session, and the passage with the words that were looked for. */
export function HitRow({ hit }: { readonly hit: SearchHitView }) {
  const { title, folder, isImported, tool, isError, snippet, at } = hit;
  const Icon = isError ? CircleAlert : tool === null ? MessageSquare : (toolIcons[tool] ?? Wrench);
  const now = useSeconds(false);
  return (
    <>
      <span className="grid w-4 shrink-0 place-items-center self-start pt-0.5">
        <Icon aria-hidden="true" />
      </span>
      <span className="min-w-0 grow">
        <span className="flex min-w-0 items-baseline gap-1">
          <span className="truncate">{inert(title)}</span>
          <span className="shrink-0 truncate text-faint">
            · {spelled(baseName(folder))}
            {isImported && ` · ${text.fromClaudeCode}`}
          </span>
        </span>
        <span
          className={`block truncate text-small text-dim ${tool === null ? "" : "font-mono"}`}
          data-role="snippet"
        >
          {snippet.map((part, index) =>
            part.match ? (
              // The parts of a snippet have no other name than their place.
              <mark key={index} className="found-words">
                {inert(part.text)}
              </mark>
            ) : (
              <span key={index}>{inert(part.text)}</span>
            ),
          )}
        </span>
      </span>
      {at !== null && (
        <time
          className="shrink-0 self-start text-small text-faint"
          dateTime={new Date(at).toISOString()}
        >
          {formatAge(at, now)}
        </time>
      )}
    </>
  );
}
