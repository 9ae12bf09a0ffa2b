import type { ReactNode } from "react";
import { type Body, brief, lengthOf, type ShownItemOf } from "../../text/body.ts";
import { CodeView } from "../parts/code-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { Output } from "../parts/output.tsx";
import { Remark } from "../parts/remark.tsx";
import { count } from "../../text/format.ts";
import { lookup } from "../../text/lookup.ts";
import { prettyLine } from "../../text/format-json.ts";

/** Things that go on beside the conversation: each a quiet line, with more behind it. */

const taskTones: Readonly<Record<string, "working" | "failed" | "waiting">> = {
  running: "working",
  failed: "failed",
  killed: "waiting",
  stopped: "waiting",
};

export function TaskView({ item }: { item: ShownItemOf<"task"> }) {
  const { status, summary } = item;
  return (
    <Remark id={item.id} tone={lookup(taskTones, status) ?? "dim"} more={printed(summary, item.id)}>
      <span>
        In the background: {brief(item.description)} · {brief(status, 40)}
        {item.progress !== undefined && ` · ${brief(item.progress, 120)}`}
      </span>
    </Remark>
  );
}

export function HookView({ item }: { item: ShownItemOf<"hook"> }) {
  const outcome = brief(item.outcome ?? item.state, 60);
  const bad = outcome !== "success" && outcome !== "ended" && outcome !== "started";
  return (
    <Remark id={item.id} tone={bad ? "failed" : "dim"} more={printed(item.output, item.id)}>
      <span>
        Hook <span className="font-mono">{brief(item.name, 80)}</span> at {brief(item.event, 60)} ·{" "}
        {outcome}
        {item.exitCode !== undefined && item.exitCode !== 0 && ` · exit ${item.exitCode}`}
      </span>
    </Remark>
  );
}

const compactionWords = {
  running: "Compacting the conversation…",
  done: "The conversation was compacted",
  failed: "Compacting the conversation failed",
} as const;

export function CompactionView({ item }: { item: ShownItemOf<"compaction"> }) {
  const tone = item.state === "failed" ? "failed" : item.state === "running" ? "working" : "dim";
  return (
    <div className="turn-end">
      <Remark id={item.id} tone={tone} more={printed(item.summary ?? item.error, item.id)}>
        <span>
          {lookup(compactionWords, item.state) ?? "Compaction"}
          {item.tokensBefore !== undefined && ` · ${count(item.tokensBefore)} tokens before`}
          {item.tokensAfter !== undefined && `, ${count(item.tokensAfter)} after`}
          {item.trigger !== undefined &&
            ` · ${item.trigger === "auto" ? "by itself" : "on request"}`}
        </span>
      </Remark>
    </div>
  );
}

export function OpaqueView({ item }: { item: ShownItemOf<"opaque"> }) {
  const raw = typeof item.raw === "string" ? prettyLine(item.raw) : item.raw;
  return (
    <Remark id={item.id} more={<CodeView body={raw} id={`${item.id}/raw`} language="json" />}>
      <span>
        <span className="font-mono">{brief(item.name, 80)}</span> · {brief(item.why, 200)}
      </span>
    </Remark>
  );
}

/** A block of a message that is neither text, nor thought, nor a call. */
export function BlockView({ item }: { item: ShownItemOf<"block"> }) {
  return (
    <Remark id={item.id} more={<JsonView value={item.block} id={`${item.id}/json`} />}>
      <span>
        Said in another form: <span className="font-mono">{brief(item.block.type, 80)}</span>
      </span>
    </Remark>
  );
}

/** An item of a newer hub: what it is called, and all there is of it. */
export function UnknownView({ item }: { item: { id: string; kind: string } }) {
  return (
    <Remark id={item.id} more={<JsonView value={item} id={`${item.id}/json`} />}>
      <span>
        Something new: <span className="font-mono">{item.kind}</span>
      </span>
    </Remark>
  );
}

function printed(body: Body | undefined, id: string): ReactNode {
  if (body === undefined || lengthOf(body) === 0) return undefined;
  return <Output body={body} id={`${id}/more`} label="more" />;
}
