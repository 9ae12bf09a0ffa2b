import { parseObject } from "@signalbox/protocol";
import type { RelaySessions, SessionRow } from "@signalbox/hub/extension";

/**
 * The line with which Claude Code begins each turn. Other programs may spell it differently and are
 * not read here.
 */
const INIT_PREFIX = '{"type":"system","subtype":"init"';

/** Knows which conversation each agent that dialed in uses, and which session an id stands for. */
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

  /**
   * Reads what the agent says about itself. On a path that names a session, another conversation is
   * only recorded.
   */
  #readIntroduction(session: string, text: string): void {
    const row = this.#sessions.findRow(session);
    const storedEntry = parseObject(text);
    if (!row || typeof storedEntry === "string") return;
    const { cwd, session_id: conversation } = storedEntry;
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

  /** Whether a connected agent has named this conversation in another session. */
  isHeld(conversation: string, but: string | undefined): boolean {
    for (const [session, lastMessage] of this.#conversations) {
      if (lastMessage !== conversation || session === but) continue;
      if (this.#isConnected(session)) return true;
    }
    return false;
  }

  /**
   * The session for the hub's own id, or for an agent's id of a conversation. Several sessions may
   * have had a conversation: the one whose agent is connected counts, then one whose run is alive,
   * then the newest.
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
