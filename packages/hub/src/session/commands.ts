import type { AskView, NewAnswer, NewPrompt, NewSession, SessionChange } from "@signalbox/protocol";
import { askChange } from "../asks/ask-book.ts";
import { type Actor, Refusal } from "../engine.ts";
import { runnerAway } from "../link/runner-link.ts";
import type { AuditNews, Change, PromptRow, SessionRow } from "../log/store.ts";
import { copyLog } from "./copy-log.ts";
import { folderOn } from "./folder.ts";
import { storedImages } from "./images.ts";
import { lastPrompt } from "./last-prompt.ts";
import { Session, type Surroundings } from "./session.ts";
import { emptySummary, type Sessions } from "./sessions.ts";

const BYPASS_MINUTES = 8 * 60;
/** Control requests that a person may have put to the agent; all else is ours to say. */
const requests = new Set([
  "set_model",
  "set_permission_mode",
  "set_max_thinking_tokens",
  "get_context_usage",
  "get_settings",
  "mcp_status",
  "mcp_toggle",
  "mcp_reconnect",
  "rewind_files",
]);
/** Modes in which the agent asks nobody: a policy that ends is the way to that. */
const askless = new Set(["bypassPermissions", "dontAsk"]);

/** What people do with sessions. Each is stored before it is answered. */
export class Commands {
  readonly #around: Surroundings;
  readonly #sessions: Sessions;
  readonly #ownRunner: string;

  constructor(around: Surroundings, sessions: Sessions, ownRunner: string) {
    this.#around = around;
    this.#sessions = sessions;
    this.#ownRunner = ownRunner;
  }

  async create(
    id: string,
    options: NewSession,
    by: Actor,
    also: readonly Change[],
  ): Promise<Session> {
    const there = this.#sessions.find(id);
    if (there) return there; // the same command again
    refuseAskless(options.mode);
    const { prompt, ...kept } = options;
    const agent = this.#around.agent(options.agent ?? "claude-code");
    this.#around.environment(options.environment ?? agent.environment);
    const runner = options.runner ?? this.#ownRunner;
    const folder = await folderOn(runner === this.#ownRunner, options.folder);
    const policy = options.policy ?? "default";
    const at = Date.now();
    const row: SessionRow = {
      id,
      folder,
      title: options.title ?? "",
      named: options.title !== undefined,
      agent: agent.name,
      driver: options.driver ?? agent.driver,
      runner,
      policy,
      bypassUntil: bypassUntil(policy, options.bypassMinutes, at),
      pinned: false,
      archived: false,
      createdAt: at,
      options: { ...kept, folder },
      forkOf: null,
      conversation: null,
      state: "new",
      problem: null,
      run: null,
    };
    const facts = { folder, policy, agent: agent.name };
    const session = new Session(this.#around, row, emptySummary(), 0);
    const first = prompt ? this.#promptRow(session, id, prompt) : undefined;
    await this.#around.store.commit([
      { kind: "session", row },
      ...(first?.changes ?? []),
      audit("session-created", by, id, facts),
      ...also,
    ]);
    if (first) session.prompts.put(first.row);
    this.#sessions.add(session);
    session.changed();
    if (first) await session.wake(by).catch(notNow);
    return session;
  }

  async change(session: Session, change: SessionChange, by: Actor): Promise<void> {
    const { title, pinned, archived, policy, bypassMinutes } = change;
    if (policy !== undefined) await this.setPolicy(session, policy, bypassMinutes, by);
    const patch = {
      ...(title !== undefined && { title, named: true }),
      ...(pinned !== undefined && { pinned }),
      ...(archived !== undefined && { archived }),
    };
    if (Object.keys(patch).length > 0) await session.write(patch);
  }

  /** For a run that lives it holds at once, or it is refused and nothing changes. */
  async setPolicy(
    session: Session,
    policy: SessionRow["policy"],
    minutes: number | undefined,
    by: { readonly name: string },
  ): Promise<void> {
    const { run, state } = session.row;
    const until = bypassUntil(policy, minutes, Date.now());
    const stored = () =>
      session.write({ policy, bypassUntil: until }, [
        audit("policy-changed", by, session.id, { from: session.row.policy, to: policy, until }),
      ]);
    // Stored first when it takes something away: whatever fails then, the next run has it.
    if (policy !== "autonomous") await stored();
    if (run !== null && state === "running") {
      const order = { kind: "policy", session: session.id, run, policy } as const;
      await this.#link(session).order(crypto.randomUUID(), order);
    }
    if (policy === "autonomous") await stored();
  }

  async delete(session: Session, by: Actor): Promise<void> {
    if (session.alive) await this.stop(session, by, false);
    session.close();
    await this.#around.store.commit([
      { kind: "session-deleted", id: session.id },
      audit("session-deleted", by, session.id, { title: session.view.title }),
    ]);
    this.#sessions.remove(session.id);
    this.#around.asks.forget(session.id);
    session.changed();
  }

  async send(session: Session, id: string, prompt: NewPrompt, by: Actor): Promise<PromptRow> {
    const there = session.prompts.get(id);
    if (there) return there;
    const { row, changes } = this.#promptRow(session, id, prompt);
    await this.#around.store.commit(changes);
    session.prompts.put(row);
    session.changed();
    await session.wake(by).catch(notNow);
    return session.prompts.get(id) ?? row;
  }

  #promptRow(
    session: Session,
    id: string,
    prompt: NewPrompt,
  ): { row: PromptRow; changes: Change[] } {
    if (prompt.text.trim() === "" && !prompt.images?.length) {
      throw new Refusal(
        422,
        "empty-prompt",
        "The message is empty: write something, or add an image.",
      );
    }
    const { json: images, blobs } = storedImages(session.id, prompt);
    const place = session.prompts.nextPlace;
    const { text, now = false } = prompt;
    const row = { id, session: session.id, place, text, images, now, sentTo: null, at: Date.now() };
    return { row, changes: [{ kind: "prompt", row }, ...blobs] };
  }

  async movePrompt(
    session: Session,
    id: string,
    to: { place?: number; now?: true },
  ): Promise<void> {
    const rows =
      to.place === undefined ? [session.prompts.waiting(id)] : session.prompts.moved(id, to.place);
    const next = rows.map((row) => (row.id === id && to.now ? { ...row, now: true } : row));
    await this.#around.store.commit(next.map((row): Change => ({ kind: "prompt", row })));
    for (const row of next)
      if (session.prompts.get(row.id)?.sentTo === null) session.prompts.put(row);
    session.changed();
    session.pump();
  }

  async withdrawPrompt(session: Session, id: string): Promise<void> {
    session.prompts.waiting(id);
    session.prompts.remove(id);
    await this.#around.store.commit([{ kind: "prompt-gone", id }]);
    session.changed();
  }

  async request(session: Session, subtype: string, fields: object, by: Actor): Promise<unknown> {
    if (!requests.has(subtype) && subtype !== "interrupt") {
      const known = [...requests].join(", ");
      throw new Refusal(
        422,
        "no-such-request",
        `"${subtype}" is not passed on. There is: ${known}.`,
      );
    }
    if (subtype === "set_permission_mode") refuseAskless((fields as { mode?: unknown }).mode);
    const run = living(session);
    const order = {
      kind: "request",
      session: session.id,
      run,
      subtype,
      fields: { ...fields },
    } as const;
    const answer = await this.#link(session).order(crypto.randomUUID(), order);
    if (subtype.startsWith("set_") || subtype === "rewind_files") {
      const facts = { request: subtype, ...fields };
      await this.#around.store.commit([audit("agent-told", by, session.id, facts)]);
    }
    return answer;
  }

  /** Ends the run and waits until it is over. */
  async stop(session: Session, by: { readonly name: string }, park: boolean): Promise<void> {
    if (!session.alive || session.row.run === null) return;
    const { run } = session.row;
    const order = { kind: "stop", session: session.id, run, park } as const;
    await this.#link(session).order(`${run}.stop`, order);
    await session.over();
    await this.#around.store.commit([audit(park ? "parked" : "stopped", by, session.id, { run })]);
  }

  /** Again from the last good message: what went wrong since is cut off. */
  async retry(session: Session, by: Actor, fresh: boolean): Promise<void> {
    const conversation = await session.load();
    const at = conversation.lastUuid;
    const prompt = await lastPrompt(this.#around.store, session.id);
    if (!prompt) {
      throw new Refusal(409, "nothing-to-retry", "Nothing has been said in this session yet.");
    }
    await this.stop(session, by, false);
    if (fresh) await session.write({ conversation: null });
    const { row, changes } = this.#promptRow(session, crypto.randomUUID(), prompt);
    await this.#around.store.commit([...changes, audit("retried", by, session.id, { fresh, at })]);
    session.prompts.put(row);
    await session.wake(by, fresh ? {} : { at });
  }

  /** A copy of a session that goes its own way, with all that was said up to a message. */
  async fork(session: Session, id: string, at: string | undefined, by: Actor): Promise<Session> {
    const there = this.#sessions.find(id);
    if (there) return there;
    const { row: from } = session;
    if (from.conversation === null) {
      throw new Refusal(409, "nothing-to-fork", "Nothing has been said in this session yet.");
    }
    const row: SessionRow = {
      ...from,
      id,
      title: `${session.view.title} (fork)`,
      named: true,
      pinned: false,
      archived: false,
      createdAt: Date.now(),
      forkOf: from.id,
      policy: from.policy === "autonomous" ? "default" : from.policy, // a bypass is of one session
      bypassUntil: null,
      state: "new",
      problem: null,
      run: null,
    };
    await this.#around.store.commit([
      { kind: "session", row },
      audit("forked", by, id, { from: from.id, at: at ?? null }),
    ]);
    await copyLog(this.#around.store, from.id, id, at);
    const copy = new Session(this.#around, row, emptySummary(), 0);
    await copy.load();
    this.#sessions.add(copy);
    copy.changed();
    await copy.wake(by, { at, fork: true }).catch(notNow);
    return copy;
  }

  /** The first valid answer wins: stored with its audit entry and the order that carries it out. */
  async answer(id: string, answer: NewAnswer, by: Actor): Promise<AskView> {
    const { ask, decision, release } = await this.#around.asks.take(id, answer, by);
    const session = this.#sessions.get(ask.session);
    const { requestId, run, hash, tool, title } = ask;
    const order = {
      kind: "decide" as const,
      session: ask.session,
      run,
      requestId,
      decision: { ...decision },
      by: by.name,
      how: "answered" as const,
    };
    const facts = { ask: id, tool, title, hash, decision: answer.decision };
    const row = {
      id,
      session: ask.session,
      runner: session.row.runner,
      json: JSON.stringify(order),
    };
    try {
      await this.#around.store.commit([
        askChange(ask),
        { kind: "order", row },
        audit("answered", by, ask.session, facts),
      ]);
    } catch (failure) {
      release();
      throw failure;
    }
    this.#around.asks.show(ask);
    session.changed();
    session.link?.order(id, order).catch(() => {}); // away: it is sent when it comes back
    return ask;
  }

  /** Nobody answered in time: denied, and said so. */
  async expire(ask: AskView): Promise<void> {
    if (!this.#around.asks.reserve(ask.id, "the time limit")) return;
    const session = this.#sessions.get(ask.session);
    const minutes = session.row.options.askLimitMinutes ?? 0;
    const message = `Nobody answered within ${minutes} minutes, so this was not allowed.`;
    const { id, run, requestId } = ask;
    const decision = { behavior: "deny", message };
    const order = {
      kind: "decide" as const,
      session: ask.session,
      run,
      requestId,
      decision,
      by: "the time limit",
      how: "expired" as const,
    };
    const over: AskView = { ...ask, status: "expired", answeredAt: Date.now() };
    const row = {
      id,
      session: ask.session,
      runner: session.row.runner,
      json: JSON.stringify(order),
    };
    try {
      await this.#around.store.commit([
        askChange(over),
        { kind: "order", row },
        audit("expired", { name: "the time limit" }, ask.session, { ask: id }),
      ]);
    } catch (failure) {
      this.#around.asks.release(id);
      throw failure;
    }
    this.#around.asks.show(over);
    session.changed();
    session.link?.order(id, order).catch(() => {});
  }

  #link(session: Session) {
    const { link } = session;
    if (!link) throw runnerAway();
    return link;
  }
}

export function living(session: Session): string {
  const { run, state } = session.row;
  if (run !== null && state === "running") return run;
  const detail = "The agent of this session is not running. Send a message or wake it first.";
  throw new Refusal(409, "not-running", detail);
}

function refuseAskless(mode: unknown): void {
  if (typeof mode !== "string" || !askless.has(mode)) return;
  const detail = `The mode ${mode} asks nobody. Use the policy "autonomous", which ends by itself and is always shown.`;
  throw new Refusal(422, "askless-mode", detail);
}

function bypassUntil(policy: string, minutes: number | undefined, now: number): number | null {
  return policy === "autonomous" ? now + (minutes ?? BYPASS_MINUTES) * 60_000 : null;
}

/** It is stored and goes on by itself when the runner is back; other refusals are the caller's. */
function notNow(failure: unknown): void {
  if (failure instanceof Refusal && failure.code === "runner-away") return;
  throw failure;
}

export function audit(
  what: string,
  by: { readonly name: string },
  session: string | null,
  facts: AuditNews["facts"],
): Change {
  return { kind: "audit", news: { at: Date.now(), what, by: by.name, session, facts } };
}
