import { parseObject } from "@signalbox/protocol";
import type { RelaySessions, SessionRow } from "@signalbox/hub/extension";

/** As Claude Code begins each turn; other programs may spell it otherwise, and are not listened to here. */
const INIT = '{"type":"system","subtype":"init"';

/** Which conversation each agent that dialled in speaks as, and which session an id means. */
export class SpokenConversations {
  readonly #sessions: RelaySessions;
  readonly #isConnected: (session: string) => boolean;
  /** By session. */
  readonly #spoken = new Map<string, string>();

  constructor(sessions: RelaySessions, isConnected: (session: string) => boolean) {
    this.#sessions = sessions;
    this.#isConnected = isConnected;
  }

  heard(session: string, text: string): void {
    if (text.startsWith(INIT) || !this.#spoken.has(session)) this.#introduced(session, text);
  }

  /** What the agent says of itself. On a path that names a session, another conversation is only noted. */
  #introduced(session: string, text: string): void {
    const row = this.#sessions.findRow(session);
    const said = parseObject(text);
    if (!row || typeof said === "string") return;
    const { cwd, session_id: conversation } = said;
    if (typeof cwd === "string" && cwd !== row.folder) {
      void this.#sessions.write(session, { folder: cwd }).catch(() => {});
    }
    const before = this.#spoken.get(session);
    if (typeof conversation !== "string" || conversation === before) return;
    this.#spoken.set(session, conversation);
    const isShared = this.isHeld(conversation, session);
    if (before === undefined && !isShared) return;
    const goesOn = before !== undefined ? "goes on as another conversation" : "speaks as";
    const also = isShared ? ", which another agent that is connected has, too" : "";
    const remark = `The agent ${goesOn}${before === undefined ? "" : ","} ${conversation}${also}.`;
    void this.#sessions.addRemark(session, remark).catch(() => {});
  }

  /** Whether an agent that is connected has said this in another session. */
  isHeld(conversation: string, but: string | undefined): boolean {
    for (const [session, said] of this.#spoken) {
      if (said !== conversation || session === but) continue;
      if (this.#isConnected(session)) return true;
    }
    return false;
  }

  /**
   * The session that our id of it, or an agent's own id of a conversation, means. Several may have had a
   * conversation: the one whose agent is connected counts, else one whose run lives, else the newest.
   */
  sessionOf(id: string): string | undefined {
    const rows = this.#sessions.listRows().filter(({ driver }) => driver === "relay");
    const [first] = rows
      .filter((row) => row.id === id || row.conversation === id)
      .toSorted((a, b) => this.#weight(b, id) - this.#weight(a, id) || b.createdAt - a.createdAt);
    return first?.id;
  }

  #weight({ id, state }: SessionRow, wanted: string): number {
    if (id === wanted) return 3;
    if (this.#isConnected(id)) return 2;
    return state === "running" ? 1 : 0;
  }
}
