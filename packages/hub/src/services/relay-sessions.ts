import { formatLogMarker } from "@signalbox/protocol";
import type { DialState, DialStates } from "./dial-states.ts";
import type { RawFeed, RawListener } from "../fan-out/raw-feed.ts";
import type { AuditActor } from "../store/audit-change.ts";
import type { SessionRow } from "../store/store.ts";
import type { Sessions } from "../session/sessions.ts";

/** What the relay needs from the engine in addition to the public services. */
export interface RelaySessions {
  /** Reports whether a session's agent is connected; undefined: the agent is gone. */
  setDialState(session: string, state: DialState | undefined): void;
  listRows(): SessionRow[];
  findRow(session: string): SessionRow | undefined;
  /** The sequence number of the session's last stored line. */
  getStoredSeq(session: string): Promise<number>;
  /** Starts a run, because an agent has connected. `run` is the agent's own name for this life. */
  start(session: string, by: AuditActor, run?: string): Promise<void>;
  /** Stores what the agent reports about itself. */
  write(session: string, patch: Partial<Pick<SessionRow, "folder">>): Promise<void>;
  /** Adds a remark of the hub to a session's log. */
  addRemark(session: string, text: string): Promise<void>;
  /** Reports that some of the agent's lines are lost, perhaps the end of its turn among them. */
  reportLoss(session: string, text: string): Promise<void>;
  /** Settles once the session has no live run and that is stored. */
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
