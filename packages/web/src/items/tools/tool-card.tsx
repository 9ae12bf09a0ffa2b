import type { PayloadOfKind, ToolKind } from "@signalbox/timeline";
import { isFinished } from "@signalbox/timeline/view";
import type { ReactNode } from "react";
import { toShortText, type MaybeCut, type DisplayItemOfKind } from "../../text/body.ts";
import { useItemServices } from "../parts/items-context.tsx";
import { Card } from "../parts/card.tsx";
import { PlainText } from "../../text/plain-text.tsx";
import { StatusMark } from "../parts/status-mark.tsx";
import { ErrorOutput } from "../parts/error-output.tsx";
import { useSeconds } from "../../store/clock.ts";
import { formatDuration, formatElapsed } from "../../text/format.ts";
import { lookup } from "../../text/lookup.ts";
import { relativePath } from "../../text/path.ts";
import { AskDetails, AskTag } from "./ask-tag.tsx";
import { activeTime } from "./active-time.ts";
import { plannedToolNames, ToolIcon, toolNames } from "./tool-icon.tsx";

export type ToolItem = DisplayItemOfKind<"tool">;

/** The props of a tool's view. */
export interface ToolProps<Kind extends ToolKind> {
  readonly item: ToolItem;
  readonly payload: MaybeCut<PayloadOfKind<Kind>>;
}

interface Props {
  readonly item: ToolItem;
  readonly name?: ReactNode;
  readonly title?: string;
  readonly mono?: boolean;
  readonly path?: boolean;
  readonly meta?: ReactNode;
  readonly open?: boolean;
  /** Whether the tool's view shows the error itself. */
  readonly showsError?: boolean;
  readonly children?: ReactNode;
}

/** The card of a tool call: status, name, duration and error. */
export function ToolCard({ item, name, title, meta, showsError = false, ...rest }: Props) {
  const error = item.payload?.error;
  return (
    <Card
      id={item.id}
      isRow={isRow(item)}
      mark={<ToolMark item={item} />}
      name={name ?? toolName(item)}
      title={title ?? (item.title === item.name ? "" : toShortText(item.title))}
      meta={
        <>
          <AskTag item={item} />
          {meta}
          <CallDuration item={item} />
        </>
      }
      below={
        <>
          <AskDetails item={item} />
          {item.mark && <ChangedCallNote mark={item.mark} />}
          {!showsError && <ErrorOutput body={error} id={item.id} />}
        </>
      }
      {...rest}
    />
  );
}

/** Tools whose calls are cards, because what they show matters most. All others are rows. */
const cardKinds: ReadonlySet<string> = new Set(["shell_exec", "modify_file", "plan", "question"]);

function isRow({ payload, status }: ToolItem): boolean {
  return payload !== undefined && status !== "preparing" && !cardKinds.has(payload.kind);
}

function toolName({ name, payload, status }: ToolItem): string {
  const names = status === "complete" ? toolNames : plannedToolNames;
  return lookup(names, payload?.kind) ?? toShortText(name, 60);
}

/** The icon of the tool; while it runs, or when it did not succeed, its status instead. */
function ToolMark({ item }: { item: ToolItem }) {
  if (isWaitingForAnswer(item)) return <StatusMark status="waiting" />;
  if (item.status !== "complete") return <StatusMark status={item.status} />;
  return <ToolIcon kind={item.payload?.kind} />;
}

/** A warning that a call ran without its request, or with another input than was shown. */
function ChangedCallNote({ mark }: { mark: NonNullable<ToolItem["mark"]> }) {
  return (
    <div
      className="flex flex-col gap-1"
      data-role="ran-otherwise"
      data-how={toShortText(mark.how, 20)}
    >
      <strong className="text-small">{toShortText(mark.text, 500)}</strong>
      {mark.ran !== undefined && <PlainText text={toShortText(mark.ran, 2000)} />}
    </div>
  );
}

/** Whether the call is waiting for a person's answer. */
function isWaitingForAnswer({ status, waits }: ToolItem): boolean {
  return status === "running" && waits?.some(({ to }) => to === undefined) === true;
}

/** The shortest duration of a finished call that is worth a person's attention. */
const SHOWN_DURATION_MS = 1000;

/** How long a call took or has been running, without the time it waited for a person. */
function CallDuration({ item }: { item: ToolItem }) {
  const running = !isFinished(item.status);
  const now = useSeconds(running && item.at !== undefined);
  if (running) {
    const seconds = item.elapsedSeconds ?? 0;
    const ms = item.at === undefined ? seconds * 1000 : activeTime(item.at, now, item.waits);
    return ms < 1000 ? null : <span className="text-working">{formatElapsed(ms)}</span>;
  }
  if (item.at === undefined || item.endedAt === undefined) return null;
  const ms = activeTime(item.at, item.endedAt, item.waits);
  // Most calls take a fraction of a second: figures on every row would hide the few that took long.
  return ms < SHOWN_DURATION_MS ? null : <span>{formatDuration(ms)}</span>;
}

/** A path, relative to the session's folder if it is inside. */
export function usePath(path: MaybeCut<string>): string {
  const { folder } = useItemServices();
  return relativePath(toShortText(path, 4096), folder);
}

/** Whether the ask of this call is docked below the conversation, where it would be shown a second time. */
export function useIsAskDocked({ status }: ToolItem): boolean {
  const docked = useItemServices().useDocked?.() ?? false;
  return docked && !isFinished(status);
}
