import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { acceptFirstRun } from "@signalbox/testing/first-run";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";
import { SeenTerminal } from "@signalbox/testing/seen-terminal";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

let hub: HubStage;
let session: { id: string; runner: string };
beforeAll(async () => {
  hub = await openHubStage();
  acceptFirstRun(hub.home, hub.folder);
  session = await hub.admin.createSession({
    folder: hub.folder,
    prompt: { text: "::say said in chat" },
  });
  await lastText("said in chat");
});
afterAll(() => hub[Symbol.asyncDispose]());

const lastText = (text: string) =>
  until(`the agent says "${text}"`, async () => {
    const { summary } = await hub.admin.session(session.id);
    return summary.lastText === text && summary.status === "idle";
  });
const agentTerminal = () =>
  until("the agent has a terminal", async () =>
    (await hub.admin.terminals()).find(({ kind, end }) => kind === "agent" && !end),
  );

describe("Claude Code's own terminal, with a hub of its own", () => {
  test("[PT10] [PT14] switch moves a session, and attach --terminal shows and types into it", async () => {
    const moved = await hub.command(["switch", session.id, "terminal"]);
    expect(moved).toMatchObject({ exit: 0 });
    expect(moved.stdout).toContain("terminal  pty");
    await agentTerminal();
    const { terminal, exited } = hub.commandOnTerminal(["attach", session.id, "--terminal"]);
    await terminal.until("Confirm this terminal");
    const waiting = await until("the terminal waits", async () =>
      (await hub.admin.elevations()).find(({ status }) => status === "waiting"),
    );
    await hub.admin.decideElevation(waiting, true);
    await terminal.until("saidinchat"); // between the words the cursor is moved
    await until("what is typed arrives", async () => {
      const { id, runner } = { ...(await agentTerminal()), runner: session.runner };
      using seen = new SeenTerminal(hub.admin, id, runner);
      await until("it is drawn", () => seen.snapshots);
      return seen.text.includes("❯");
    });
    terminal.type("::say typed from a terminal");
    await terminal.until("typedfromaterminal");
    terminal.type("\r");
    await lastText("typed from a terminal");
    terminal.type("\u001d"); // Ctrl+]
    await terminal.until("Detached.");
    expect(await exited).toBe(0);
    expect(terminal.raw).toContain("\u001b[?1049l");
    const away = await hub.command(["attach", session.id, "--terminal"]);
    expect(away.exit).not.toBe(0);
  });

  test("[PT13] the terminal and what is said there outlive a hub that is killed", async () => {
    const view = await agentTerminal();
    using seen = new SeenTerminal(hub.admin, view.id, session.runner);
    await seen.shows("said in chat");
    await hub.killHub();
    await hub.serveAgain();
    await until("the terminal is drawn again", () => seen.snapshots > 1);
    await seen.shows("typed from a terminal");
    expect((await agentTerminal()).id).toBe(view.id);
    await hub.admin.send(session.id, { text: "::say after the hub" });
    await lastText("after the hub");
    const moved = await hub.command(["switch", session.id, "chat", "--wait"]);
    expect(moved).toMatchObject({ exit: 0 });
    const { items } = await hub.admin.items(session.id, { limit: 100 });
    const texts = items.flatMap((item) => (item.kind === "text" ? item.text : []));
    expect(texts).toEqual(["said in chat", "typed from a terminal", "after the hub"]);
    expect(await hub.admin.terminals()).toEqual([]);
  });

  test("[VI1] two agents, two shells and the changes of one project are there at once", async () => {
    await Bun.spawn(["git", "init", "--quiet"], { cwd: hub.folder }).exited;
    const prompt = { text: "::say the second agent" };
    const other = await hub.admin.createSession({ folder: hub.folder, prompt });
    await hub.admin.switchSession(session.id, { to: "terminal" });
    const one = await hub.admin.openShell(session.id);
    const two = await hub.admin.openShell(other.id);
    const { id } = await agentTerminal();
    using shell = new SeenTerminal(hub.admin, one.id, session.runner);
    shell.type("echo changed > by-shell.txt; echo written-$((40 + 2))\r");
    await shell.shows("written-42");
    const changes = await hub.admin.workingChanges(other.id);
    const files = changes.repository ? changes.files.map(({ path }) => path) : [];
    expect(files).toContain("by-shell.txt");
    await until("both agents are there", async () => {
      const states = (await hub.admin.sessions()).map(({ state }) => state);
      return states.length === 2 && states.every((state) => state === "running");
    });
    const listed = (await hub.admin.terminals()).map((view) => view.id);
    expect(new Set(listed)).toEqual(new Set([one.id, two.id, id]));
    await hub.admin.closeTerminal(two.id);
    await hub.admin.stop(session.id);
    expect((await hub.admin.terminals()).map((view) => view.id)).toEqual([one.id]);
    expect((await hub.admin.session(other.id)).state).toBe("running");
    await hub.admin.closeTerminal(one.id);
  });
});
