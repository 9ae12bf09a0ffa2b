import { formatLogMarker } from "@signalbox/protocol";
import type { DialState, DialStates } from "./dial-states.ts";
import type { RawFeed, RawListener } from "../fan-out/raw-feed.ts";
import type { AuditActor } from "../store/audit-change.ts";
import type { SessionRow } from "../store/store.ts";
import type { Sessions } from "../session/sessions.ts";

/** What the relay needs of the engine beside what everybody may ask. */
export interface RelaySessions {
  /** Reports whether the agent of a session is connected; undefined: it is gone. */
  setDialState(session: string, state: DialState | undefined): void;
  listRows(): SessionRow[];
  findRow(session: string): SessionRow | undefined;
  /** The last line of the session's that is stored. */
  getStoredSeq(session: string): Promise<number>;
  /** An agent is there: a run begins. `run`: its own name for this life. */
  start(session: string, by: AuditActor, run?: string): Promise<void>;
  /** What the agent says of itself, when it says it. */
  write(session: string, patch: Partial<Pick<SessionRow, "folder">>): Promise<void>;
  /** A remark of the hub's in the log of a session. */
  addRemark(session: string, text: string): Promise<void>;
  /** Some of what the agent said is lost; its turn may be over without anybody having heard of it. */
  reportLoss(session: string, text: string): Promise<void>;
  /** Settles when no run of the session lives, and that is stored. */
  waitForRunEnd(session: string): Promise<void>;
  listen(listener: RawListener): () => void;
}

export function createRelaySessions(
  sessions: Sessions,
  dialStates: DialStates,
  rawFeed: RawFeed,
): RelaySessions {
  const get = (session: string) => sessions.get(session);
  const remark = async (session: string, text: string): Promise<void> => {
    const { row } = get(session);
    const line = formatLogMarker("remark", { level: "warning", text });
    (await get(session).loadIngest()).addMarker(line, row.run);
  };
  return {
    setDialState: (session, state) => dialStates.set(session, state),
    listRows: () => sessions.list().map(({ row }) => row),
    findRow: (session) => sessions.find(session)?.row,
    getStoredSeq: async (session) => (await get(session).loadIngest()).storedSeq,
    start: (session, by, run) => get(session).startDialedIn(by, run),
    write: (session, patch) => get(session).write(patch),
    addRemark: remark,
    reportLoss: async (session, text) => {
      await remark(session, text);
      get(session).allowSendingWhileBusy();
    },
    waitForRunEnd: async (session) => get(session).waitForRunEnd(),
    listen: (listener) => rawFeed.listen(listener),
  };
}
