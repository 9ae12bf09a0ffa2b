import type { ReactNode } from "react";
import { type Body, toShortText, getLength, type DisplayItemOfKind } from "../../text/body.ts";
import { CodeView } from "../parts/code-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { Output } from "../parts/output.tsx";
import { StatusLine } from "../parts/status-line.tsx";
import { formatNumber } from "../../text/format.ts";
import { lookup } from "../../text/lookup.ts";
import { formatJsonLine } from "../../text/format-json.ts";
import { strings } from "../../strings/strings.ts";

const text = strings.items;

/** Items beside the conversation itself: each is one line that can be unfolded. */

const taskTones: Readonly<Record<string, "working" | "failed" | "waiting">> = {
  running: "working",
  failed: "failed",
  killed: "waiting",
  stopped: "waiting",
};

export function TaskView({ item }: { item: DisplayItemOfKind<"task"> }) {
  const { status, summary } = item;
  return (
    <StatusLine
      id={item.id}
      tone={lookup(taskTones, status) ?? "dim"}
      more={renderOutput(summary, item.id)}
    >
      <span>
        {text.background(toShortText(item.description), toShortText(status, 40))}
        {item.progress !== undefined && ` · ${toShortText(item.progress, 120)}`}
      </span>
    </StatusLine>
  );
}

export function HookView({ item }: { item: DisplayItemOfKind<"hook"> }) {
  const outcome = toShortText(item.outcome ?? item.state, 60);
  const bad = outcome !== "success" && outcome !== "ended" && outcome !== "started";
  return (
    <StatusLine
      id={item.id}
      tone={bad ? "failed" : "dim"}
      more={renderOutput(item.output, item.id)}
    >
      <span>
        {text.hook} <span className="font-mono">{toShortText(item.name, 80)}</span> ·{" "}
        {toShortText(item.event, 60)} · {outcome}
        {item.exitCode !== undefined && item.exitCode !== 0 && ` · ${text.exit(item.exitCode)}`}
      </span>
    </StatusLine>
  );
}

const compactionLabels = {
  running: text.compacting,
  done: text.compacted,
  failed: text.compactionFailed,
} as const;

export function CompactionView({ item }: { item: DisplayItemOfKind<"compaction"> }) {
  const tone = item.state === "failed" ? "failed" : item.state === "running" ? "working" : "dim";
  return (
    <div className="turn-end">
      <StatusLine id={item.id} tone={tone} more={renderOutput(item.summary ?? item.error, item.id)}>
        <span>
          {lookup(compactionLabels, item.state) ?? text.compaction}
          {item.tokensBefore !== undefined &&
            ` · ${text.tokensBefore(formatNumber(item.tokensBefore))}`}
          {item.tokensAfter !== undefined &&
            `, ${text.tokensAfter(formatNumber(item.tokensAfter))}`}
          {item.trigger !== undefined &&
            ` · ${item.trigger === "auto" ? text.automatic : text.requestedByYou}`}
        </span>
      </StatusLine>
    </div>
  );
}

export function OpaqueView({ item }: { item: DisplayItemOfKind<"opaque"> }) {
  const raw = typeof item.raw === "string" ? formatJsonLine(item.raw) : item.raw;
  return (
    <StatusLine id={item.id} more={<CodeView body={raw} id={`${item.id}/raw`} language="json" />}>
      <span>
        <span className="font-mono">{toShortText(item.name, 80)}</span> ·{" "}
        {toShortText(item.why, 200)}
      </span>
    </StatusLine>
  );
}

/** A block that is neither text, nor thinking, nor a tool call. */
export function BlockView({ item }: { item: DisplayItemOfKind<"block"> }) {
  return (
    <StatusLine id={item.id} more={<JsonView value={item.block} id={`${item.id}/json`} />}>
      <span>
        {text.otherBlock} <span className="font-mono">{toShortText(item.block.type, 80)}</span>
      </span>
    </StatusLine>
  );
}

/** An item of an unknown kind, from a newer hub. */
export function UnknownView({ item }: { item: { id: string; kind: string } }) {
  return (
    <StatusLine id={item.id} more={<JsonView value={item} id={`${item.id}/json`} />}>
      <span>
        {text.unknownItem} <span className="font-mono">{item.kind}</span>
      </span>
    </StatusLine>
  );
}

function renderOutput(body: Body | undefined, id: string): ReactNode {
  if (body === undefined || getLength(body) === 0) return undefined;
  return <Output body={body} id={`${id}/more`} label={text.more} />;
}
