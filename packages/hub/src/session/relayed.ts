import { formatLogMarker } from "@signalbox/protocol";
import type { SessionSummary } from "../engine.ts";
import type { Board } from "../fan-out/board.ts";
import type { RawFeed, RawListener } from "../fan-out/raw-feed.ts";
import type { By } from "../log/audit-change.ts";
import type { SessionRow } from "../log/store.ts";
import type { Sessions } from "./sessions.ts";

/** What the relay needs of the engine beside what everybody may ask. */
export interface RelayedSessions {
  /** Whether the agent of a session is connected; asked whenever that is shown. */
  dialled: (session: string) => SessionSummary["dialled"];
  rows(): SessionRow[];
  row(session: string): SessionRow | undefined;
  /** The last line of the session's that is stored. */
  storedSeq(session: string): Promise<number>;
  /** An agent is there: a run begins. `run`: its own name for this life. */
  begin(session: string, by: By, run?: string): Promise<void>;
  /** What the agent says of itself, when it says it. */
  write(session: string, patch: Partial<Pick<SessionRow, "folder">>): Promise<void>;
  /** A remark of the hub's in the log of a session. */
  remark(session: string, text: string): Promise<void>;
  /** Some of what the agent said is lost; its turn may be over without anybody having heard of it. */
  lost(session: string, text: string): Promise<void>;
  /** Settles when no run of the session lives, and that is stored. */
  over(session: string): Promise<void>;
  changed(session: string): void;
  listen(listener: RawListener): () => void;
}

export function relayedSessions(sessions: Sessions, board: Board, raw: RawFeed): RelayedSessions {
  const get = (session: string) => sessions.get(session);
  const remark = async (session: string, text: string): Promise<void> => {
    const { row } = get(session);
    const line = formatLogMarker("remark", { level: "warning", text });
    (await get(session).load()).note(line, row.run);
  };
  return {
    dialled: () => undefined,
    rows: () => sessions.all().map(({ row }) => row),
    row: (session) => sessions.find(session)?.row,
    storedSeq: async (session) => (await get(session).load()).storedSeq,
    begin: (session, by, run) => get(session).dialledIn(by, run),
    write: (session, patch) => get(session).write(patch),
    remark,
    lost: async (session, text) => {
      await remark(session, text);
      get(session).unheard();
    },
    over: async (session) => get(session).over(),
    changed: (session) => board.sessionChanged(session),
    listen: (listener) => raw.listen(listener),
  };
}
