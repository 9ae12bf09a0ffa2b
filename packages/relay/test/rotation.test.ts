import { describe, expect, test } from "bun:test";
import {
  onAgentLeft,
  onConnected,
  onConnectionBack,
  onConnectionLost,
  noTabs,
  routeConversation,
  onContent,
  type Tabs,
} from "../src/conversations/rotation.ts";

const one = () =>
  onContent(routeConversation(onConnected(noTabs, "c1", "t1"), "c1", "s1", "unused").state, "c1");
const tab = (state: Tabs, id: string) => state.tabs.get(id);

describe("session rotation", () => {
  test("[RL1] a conversation goes to its tab while that is not disconnected, also from a later connection", () => {
    expect(routeConversation(one(), "c1", "s1", "t2")).toMatchObject({ tab: "t1", how: "same" });
    const lost = onConnectionLost(one(), "c1");
    expect(routeConversation(lost, "c2", "s1", "t2")).toMatchObject({ tab: "t1", how: "same" });
  });

  test("[RL1] a conversation whose tab is disconnected begins in a new tab", () => {
    const left = onAgentLeft(one(), "c1");
    expect(left.byConversation.has("s1")).toBe(false);
    const stale = { ...left, byConversation: new Map([["s1", "t1"]]) };
    for (const state of [left, stale]) {
      const next = routeConversation(state, "c2", "s1", "t2");
      expect(next).toMatchObject({ tab: "t2", how: "new" });
      expect(tab(next.state, "t1")?.status).toBe("disconnected");
      expect(next.state.byConversation.get("s1")).toBe("t2");
    }
  });

  test("[RL1] the tab that already has the conversation is kept, even if its entry in the list was lost", () => {
    const state = { ...one(), byConversation: new Map() };
    const next = routeConversation(state, "c1", "s1", "t2");
    expect(next).toMatchObject({ tab: "t1", how: "same" });
    expect(next.state.byConversation.get("s1")).toBe("t1");
    const again = routeConversation(onAgentLeft(one(), "c1"), "c1", "s1", "t2");
    expect(again).toMatchObject({ tab: "t1", how: "same" });
    expect(tab(again.state, "t1")?.status).toBe("connected");
  });

  test("[RL1] an empty tab without a conversation takes the first one", () => {
    const next = routeConversation(onConnected(noTabs, "c1", "t1"), "c1", "s1", "t2");
    expect(next).toMatchObject({ tab: "t1", how: "placeholder" });
    expect(tab(next.state, "t1")?.conversation).toBe("s1");
  });

  test("[RL1] a tab that has content, or whose agent has left, takes no other conversation", () => {
    expect(routeConversation(one(), "c1", "s2", "t2")).toMatchObject({ tab: "t2", how: "new" });
    const spoken = onContent(onConnected(noTabs, "c1", "t1"), "c1");
    expect(routeConversation(spoken, "c1", "s1", "t2")).toMatchObject({ tab: "t2", how: "new" });
    const left = onAgentLeft(onConnected(noTabs, "c1", "t1"), "c1");
    expect(routeConversation(left, "c1", "s1", "t2")).toMatchObject({ tab: "t2", how: "new" });
  });

  test("[RL1] the first conversation can continue after a second one", () => {
    const second = routeConversation(one(), "c1", "s2", "t2").state;
    const back = routeConversation(second, "c1", "s1", "t3");
    expect(back).toMatchObject({ tab: "t1", how: "same" });
    expect(back.state.current.get("c1")).toBe("t1");
  });

  test("[RL2] an id that another live connection holds is quarantined and changes nothing", () => {
    const held = routeConversation(one(), "c2", "s1", "t2");
    expect(held).toMatchObject({ tab: undefined, how: "quarantined" });
    expect(held.state).toEqual(one());
    const two = routeConversation(onConnected(one(), "c2", "t2"), "c2", "s2", "t3").state;
    expect(routeConversation(two, "c2", "s3", "t4")).toMatchObject({ tab: "t4", how: "new" });
  });

  test("[RL3] when the agent leaves its relay, every tab of the connection is disconnected, and no other", () => {
    const two = routeConversation(one(), "c1", "s2", "t2").state;
    const others = routeConversation(onConnected(two, "c2", "t9"), "c2", "s9", "t10").state;
    const left = onAgentLeft(others, "c1");
    expect([...left.tabs.values()].map(({ status }) => status)).toEqual([
      "disconnected",
      "disconnected",
      "connected",
    ]);
    expect([...left.byConversation.keys()]).toEqual(["s9"]);
  });

  test("[RL3] when the connection itself breaks, its tabs wait; after a reconnect the next conversation begins in a new tab if there was content", () => {
    const lost = onConnectionLost(one(), "c1");
    expect(tab(lost, "t1")?.status).toBe("reconnecting");
    const back = onConnectionBack(lost, "c1", "t2");
    expect(tab(back, "t1")?.status).toBe("connected");
    expect(back.current.get("c1")).toBe("t2");
    const empty = onConnectionBack(
      onConnectionLost(onConnected(noTabs, "c1", "t1"), "c1"),
      "c1",
      "t2",
    );
    expect(empty.current.get("c1")).toBe("t1");
  });
});
