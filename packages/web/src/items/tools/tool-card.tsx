import type { PayloadOf, ToolKind } from "@signalbox/timeline";
import { isFinished } from "@signalbox/timeline/view";
import type { ReactNode } from "react";
import { brief, type Shown, type ShownItemOf } from "../../text/body.ts";
import { useItems } from "../parts/items-context.tsx";
import { Card } from "../parts/card.tsx";
import { PlainText } from "../../text/plain-text.tsx";
import { StatusMark } from "../parts/status-mark.tsx";
import { Trouble } from "../parts/error-output.tsx";
import { useNow } from "../parts/use-now.ts";
import { duration, elapsed } from "../../text/format.ts";
import { relativePath } from "../../text/path.ts";
import { ownTime } from "./active-time.ts";

export type ToolItem = ShownItemOf<"tool">;

/** What a view of a tool is given. */
export interface ToolProps<Kind extends ToolKind> {
  readonly item: ToolItem;
  readonly payload: Shown<PayloadOf<Kind>>;
}

interface Props {
  readonly item: ToolItem;
  readonly name?: ReactNode;
  readonly title?: string;
  readonly mono?: boolean;
  readonly path?: boolean;
  readonly meta?: ReactNode;
  readonly open?: boolean;
  /** The tool's own view tells what went wrong. */
  readonly ownTrouble?: boolean;
  readonly children?: ReactNode;
}

/** The card of a tool call: how it stands, what it is, how long it took, what went wrong. */
export function ToolCard({ item, name, title, meta, ownTrouble = false, ...rest }: Props) {
  const error = item.payload?.error;
  return (
    <Card
      id={item.id}
      mark={<StatusMark status={isAsked(item) ? "waiting" : item.status} />}
      name={name ?? brief(item.name, 60)}
      title={title ?? (item.title === item.name ? "" : brief(item.title))}
      meta={
        <>
          {meta}
          <Took item={item} />
        </>
      }
      below={
        <>
          {item.mark && <RanOtherwise mark={item.mark} />}
          {!ownTrouble && <Trouble body={error} id={item.id} />}
        </>
      }
      {...rest}
    />
  );
}

/** That a call ran without the request it should have had, or with another input, which is shown. */
function RanOtherwise({ mark }: { mark: NonNullable<ToolItem["mark"]> }) {
  return (
    <div className="flex flex-col gap-1" data-role="ran-otherwise" data-how={brief(mark.how, 20)}>
      <strong className="text-small">{brief(mark.text, 500)}</strong>
      {mark.ran !== undefined && <PlainText text={brief(mark.ran, 2000)} />}
    </div>
  );
}

/** Whether it stands still until somebody answers. */
function isAsked({ status, waits }: ToolItem): boolean {
  return status === "running" && waits?.some(({ to }) => to === undefined) === true;
}

/** How long a call took, or has been taking; the time a person took to answer is not its own. */
function Took({ item }: { item: ToolItem }) {
  const running = !isFinished(item.status);
  const now = useNow(running && item.at !== undefined);
  if (running) {
    const seconds = item.elapsedSeconds ?? 0;
    const ms = item.at === undefined ? seconds * 1000 : ownTime(item.at, now, item.waits);
    return ms < 1000 ? null : <span className="text-working">{elapsed(ms)}</span>;
  }
  if (item.at === undefined || item.endedAt === undefined) return null;
  return <span>{duration(ownTime(item.at, item.endedAt, item.waits))}</span>;
}

/** A path as it is shown: inside the session's folder without it. */
export function usePath(path: Shown<string>): string {
  const { folder } = useItems();
  return relativePath(brief(path, 4096), folder);
}

/** Whether a person reads it elsewhere just now, beside the ways to answer: here it would be a second one. */
export function useAskedElsewhere({ status }: ToolItem): boolean {
  const docked = useItems().useDocked?.() ?? false;
  return docked && !isFinished(status);
}
