import { parseObject } from "@signalbox/protocol";
import type { RelaySessions, SessionRow } from "@signalbox/hub/extension";

/** As Claude Code begins each turn; other programs may spell it otherwise, and are not listened to here. */
const INIT_PREFIX = '{"type":"system","subtype":"init"';

/** Which conversation each agent that dialed in names as its own, and which session an id stands for. */
export class ConversationIndex {
  readonly #sessions: RelaySessions;
  readonly #isConnected: (session: string) => boolean;
  /** By session. */
  readonly #conversations = new Map<string, string>();

  constructor(sessions: RelaySessions, isConnected: (session: string) => boolean) {
    this.#sessions = sessions;
    this.#isConnected = isConnected;
  }

  onLine(session: string, text: string): void {
    if (text.startsWith(INIT_PREFIX) || !this.#conversations.has(session))
      this.#readIntroduction(session, text);
  }

  /** What the agent says of itself. On a path that names a session, another conversation is only noted. */
  #readIntroduction(session: string, text: string): void {
    const row = this.#sessions.findRow(session);
    const said = parseObject(text);
    if (!row || typeof said === "string") return;
    const { cwd, session_id: conversation } = said;
    if (typeof cwd === "string" && cwd !== row.folder) {
      void this.#sessions.write(session, { folder: cwd }).catch(() => {});
    }
    const before = this.#conversations.get(session);
    if (typeof conversation !== "string" || conversation === before) return;
    this.#conversations.set(session, conversation);
    const isShared = this.isHeld(conversation, session);
    if (before === undefined && !isShared) return;
    const change =
      before === undefined ? "uses the conversation" : "continues with another conversation,";
    const also = isShared ? ", which another connected agent has, too" : "";
    const remark = `The agent ${change} ${conversation}${also}.`;
    void this.#sessions.addRemark(session, remark).catch(() => {});
  }

  /** Whether an agent that is connected has said this in another session. */
  isHeld(conversation: string, but: string | undefined): boolean {
    for (const [session, said] of this.#conversations) {
      if (said !== conversation || session === but) continue;
      if (this.#isConnected(session)) return true;
    }
    return false;
  }

  /**
   * The session that our id of it, or an agent's own id of a conversation, means. Several may have had a
   * conversation: the one whose agent is connected counts, else one whose run lives, else the newest.
   */
  findSession(id: string): string | undefined {
    const rows = this.#sessions.listRows().filter(({ driver }) => driver === "relay");
    const [first] = rows
      .filter((row) => row.id === id || row.conversation === id)
      .toSorted(
        (a, b) => this.#getPriority(b, id) - this.#getPriority(a, id) || b.createdAt - a.createdAt,
      );
    return first?.id;
  }

  #getPriority({ id, state }: SessionRow, wanted: string): number {
    if (id === wanted) return 3;
    if (this.#isConnected(id)) return 2;
    return state === "running" ? 1 : 0;
  }
}
