import type { ConnectionState, Session } from "@signalbox/client";
import { strings } from "../strings/strings.ts";

const text = strings.session.work;

/** What the person is waiting for, and its progress if known. */
interface SessionWork {
  readonly label: string;
  readonly part?: number;
}
interface Seen {
  readonly viewState: "loading" | "ready" | "gone";
  readonly link: ConnectionState["kind"];
  /** The first revision of a catch-up and the current one. */
  readonly catchingUp: { readonly from: number; readonly at: number } | undefined;
  readonly session:
    | (Pick<Session, "state" | "rev" | "run"> & { readonly summary: { readonly status: string } })
    | undefined;
}

/** What the person is waiting for in a session, if anything. */
export function describeSessionWork({
  viewState,
  link,
  catchingUp,
  session,
}: Seen): SessionWork | undefined {
  if (link === "catching-up")
    return { label: text.catchingUp, ...getCatchUpPart(catchingUp, session?.rev) };
  if (viewState === "loading" && link === "live") return { label: text.loading };
  if (link !== "live" || !session) return undefined;
  if (session.state === "starting") return { label: text.starting };
  if (session.state === "running" && session.summary.status === "compacting")
    return { label: text.compacting };
  return undefined;
}

function getCatchUpPart(
  catchingUp: Seen["catchingUp"],
  end: number | undefined,
): { part?: number } {
  if (!catchingUp || end === undefined || end <= catchingUp.from) return {};
  return { part: Math.min(1, (catchingUp.at - catchingUp.from) / (end - catchingUp.from)) };
}
