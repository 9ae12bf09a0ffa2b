import { looksLikeInit, findSessionId } from "@signalbox/protocol/wire";

/**
 * Decides to which tab (a board entry, a session) a message belongs if one connection carries
 * several conversations, one after another. These are the rules of agents-ui, as a function.
 */
interface Tab {
  readonly id: string;
  /** The connection that owns it. */
  readonly connection: string;
  /** The agent's own id of the conversation, once it is known. */
  readonly conversation: string | undefined;
  /** The tab has content. */
  readonly hasContent: boolean;
  readonly status: "connected" | "reconnecting" | "disconnected";
}

export interface Tabs {
  /** By id. */
  readonly tabs: ReadonlyMap<string, Tab>;
  /** The tab that a conversation is shown in, by the conversation. */
  readonly byConversation: ReadonlyMap<string, string>;
  /** The tab to which a connection's lines go now, by connection. */
  readonly current: ReadonlyMap<string, string>;
}
export const noTabs: Tabs = { tabs: new Map(), byConversation: new Map(), current: new Map() };

type Rotation = { readonly state: Tabs } & (
  | { readonly tab: string; readonly how: "same" | "placeholder" | "new" }
  /** Another live connection holds the conversation, so its messages are not accepted. */
  | { readonly tab: undefined; readonly how: "quarantined"; readonly heldBy: string }
);

/**
 * A message that names its conversation has arrived over a connection. `newId` is used for a new
 * tab.
 */
export function routeConversation(
  before: Tabs,
  connection: string,
  conversation: string,
  newId: string,
): Rotation {
  const known = getTab(before, before.byConversation.get(conversation));
  if (known && known.status !== "disconnected") {
    // Only an id that another live connection holds is rejected.
    if (known.connection !== connection && known.status === "connected") {
      return { state: before, tab: undefined, how: "quarantined", heldBy: known.connection };
    }
    const tab: Tab = { ...known, connection, status: "connected" };
    return { state: assignTab(before, tab), tab: tab.id, how: "same" };
  }
  const state = known ? forgetConversation(before, conversation) : before;
  const current = getTab(state, state.current.get(connection));
  if (current?.conversation === conversation) {
    const tab: Tab = { ...current, status: "connected" };
    return { state: assignTab(state, tab), tab: tab.id, how: "same" };
  }
  if (current && isFresh(current)) {
    const tab = { ...current, conversation };
    return { state: assignTab(state, tab), tab: tab.id, how: "placeholder" };
  }
  const tab: Tab = { id: newId, connection, conversation, hasContent: false, status: "connected" };
  return { state: assignTab(state, tab), tab: newId, how: "new" };
}

/** More of a line that is no message is not read for a hint. */
const HINT_CHARACTERS = 4096;

/**
 * The conversation that a line hints at which is not JSON, such as one that a relay in the middle has
 * rewritten. It chooses only among the tabs that this connection owns already: what a line of text says
 * opens nothing and takes nothing from another connection. In the middle of a conversation a mere mention
 * of another one means nothing; only a line that looks like the beginning of one switches to it.
 */
export function findHintedConversation(
  state: Tabs,
  connection: string,
  line: string,
): string | undefined {
  const text = line.slice(0, HINT_CHARACTERS);
  const conversation = findSessionId(text);
  if (conversation === undefined) return undefined;
  const tab = getTab(state, state.byConversation.get(conversation));
  if (tab?.connection !== connection || tab.status !== "connected") return undefined;
  const current = getTab(state, state.current.get(connection));
  return current?.conversation === undefined || looksLikeInit(text) ? conversation : undefined;
}

/** A connection exists before anything is said, and gets an empty tab. */
export function onConnected(before: Tabs, connection: string, newId: string): Tabs {
  const tab: Tab = {
    id: newId,
    connection,
    conversation: undefined,
    hasContent: false,
    status: "connected",
  };
  return assignTab(before, tab);
}

/** Something was said in the current tab of a connection. */
export function onContent(before: Tabs, connection: string): Tabs {
  const current = getTab(before, before.current.get(connection));
  if (!current || current.hasContent) return before;
  return withTab(before, { ...current, hasContent: true });
}

/**
 * The relay reports that its agent has left, while the connection to the relay stays. Everything
 * that the connection owns is over, and the next conversation goes to a new tab.
 */
export function onAgentLeft(before: Tabs, connection: string): Tabs {
  return markTabs(before, connection, "disconnected");
}

/** The connection itself is closed, and its tabs wait for it to return. */
export function onConnectionLost(before: Tabs, connection: string): Tabs {
  return markTabs(before, connection, "reconnecting");
}

/**
 * The connection has returned: tabs with content stay unchanged, and the next conversation begins
 * in a tab of its own.
 */
export function onConnectionBack(before: Tabs, connection: string, newId: string): Tabs {
  const current = getTab(before, before.current.get(connection));
  const state = markTabs(before, connection, "connected");
  return current && isFresh({ ...current, status: "connected" })
    ? state
    : onConnected(state, connection, newId);
}

function markTabs(before: Tabs, connection: string, status: Tab["status"]): Tabs {
  const tabs = new Map(before.tabs);
  const byConversation = new Map(before.byConversation);
  for (const tab of before.tabs.values()) {
    if (tab.connection !== connection || tab.status === "disconnected") continue;
    tabs.set(tab.id, { ...tab, status });
    if (status !== "disconnected" || tab.conversation === undefined) continue;
    if (byConversation.get(tab.conversation) === tab.id) byConversation.delete(tab.conversation);
  }
  return { ...before, tabs, byConversation };
}

function isFresh({ conversation, hasContent, status }: Tab): boolean {
  return conversation === undefined && !hasContent && status !== "disconnected";
}

function assignTab(before: Tabs, tab: Tab): Tabs {
  const { tabs, byConversation } = withTab(before, tab);
  const current = new Map(before.current).set(tab.connection, tab.id);
  if (tab.conversation === undefined) return { tabs, byConversation, current };
  return { tabs, byConversation: new Map(byConversation).set(tab.conversation, tab.id), current };
}

function withTab(before: Tabs, tab: Tab): Tabs {
  return { ...before, tabs: new Map(before.tabs).set(tab.id, tab) };
}

function forgetConversation(before: Tabs, conversation: string): Tabs {
  const byConversation = new Map(before.byConversation);
  byConversation.delete(conversation);
  return { ...before, byConversation };
}

function getTab({ tabs }: Tabs, id: string | undefined): Tab | undefined {
  return id === undefined ? undefined : tabs.get(id);
}
