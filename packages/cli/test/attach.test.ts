import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { HubClient, Watch } from "@signalbox/client";
import type { BoardView } from "@signalbox/client";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";

setDefaultTimeout(180_000);

let hub: HubStage;
beforeAll(async () => void (hub = await openHubStage()));
afterAll(() => hub[Symbol.asyncDispose]());

const bash = (command: string) => `::tool Bash ${JSON.stringify({ command })}`;
const LATER = "Queue a follow-up (Enter to cancel) › ";
const CHOICES = "s deny and stop\n";

async function begin(prompt: string): Promise<string> {
  const { id } = await hub.admin.createSession({ folder: hub.folder, prompt: { text: prompt } });
  return id;
}

/** Waits until the board shows it. */
function board<T>(admin: HubClient, find: (view: BoardView) => T | undefined): Promise<T> {
  const watch: Watch<BoardView> = admin.watchBoard();
  return new Promise((resolve) => {
    const look = () => {
      const found = find(watch.view);
      if (found === undefined) return;
      watch.close();
      resolve(found);
    };
    watch.subscribe(look);
    look();
  });
}
const waitingTerminal = () => board(hub.admin, ({ elevations }) => elevations[0]);
const openAsk = (session: string) =>
  board(hub.admin, ({ asks }) => asks.find((ask) => ask.session === session));

describe("attach on a terminal", () => {
  test("shows what was said, sends what is typed, and leaves the session running", async () => {
    const id = await begin("Hello.\n::say You are welcome.");
    const { terminal, exited } = hub.commandOnTerminal(["attach", id]);
    await terminal.until("> Hello.\n::say You are welcome.");
    await terminal.until("You are welcome.");
    await terminal.answer("And now?\t::say typed", "› ");
    await terminal.until("> And now?");
    await terminal.until("› ");
    terminal.type("half a ");
    await hub.admin.send(id, { text: "From the page.\n::say The page was heard." });
    await terminal.until("The page was heard.");
    await terminal.until("› half a ");
    terminal.type("\x03");
    expect(await exited).toBe(0);
    expect((await hub.admin.session(id)).state).toBe("running");
    await hub.admin.stop(id);
  });

  test("an ask is answered here once an approver's device has confirmed this terminal", async () => {
    const id = await begin(`Go.\n${bash("touch allowed.txt")}\n::say done`);
    const { terminal, exited } = hub.commandOnTerminal(["attach", id]);
    await terminal.until("Needs an answer: Bash");
    await terminal.until("│ command: touch allowed.txt");
    const elevation = await waitingTerminal();
    await terminal.until(`confirm this terminal there: ${elevation.words}`);
    await hub.admin.decideElevation(elevation, true);
    await terminal.until("You can answer in this terminal now");
    await terminal.until("▲ Claude wants to use Bash");
    await terminal.until(CHOICES);
    expect(hub.has("allowed.txt")).toBe(false);
    await terminal.answer("y");
    await terminal.until("done");
    expect(hub.has("allowed.txt")).toBe(true);
    // The next one needs no further confirmation, and may be answered elsewhere.
    await terminal.answer(bash("touch elsewhere.txt"), "› ");
    await terminal.until(CHOICES);
    const ask = await openAsk(id);
    const decision = { behavior: "deny" as const, message: "Not from here." };
    await hub.admin.answer(ask.id, { hash: ask.hash, decision });
    await terminal.until("(answered by a browser)");
    await terminal.until("› ");
    terminal.type("\x04"); // Ctrl-D
    expect(await exited).toBe(0);
    expect(hub.has("elsewhere.txt")).toBe(false);
    const { entries } = await hub.admin.audit();
    expect(entries.map(({ what }) => what)).toContain("terminal-confirmed");
    const answers = entries.filter(({ what }) => what === "answered").map(({ by }) => by);
    expect(answers).toEqual(["a browser", expect.stringMatching(/^terminal \S+@\S+ pts\/\d+$/)]);
    await hub.admin.stop(id);
  });

  test("leaving does not answer what waits", async () => {
    const id = await begin(`Go.\n${bash("touch never.txt")}\n::say done`);
    const { terminal, exited } = hub.commandOnTerminal(["attach", id]);
    await terminal.until("Needs an answer: Bash");
    const elevation = await waitingTerminal();
    await hub.admin.decideElevation(elevation, true);
    await terminal.until(CHOICES);
    terminal.type("\x04");
    expect(await exited).toBe(0);
    expect(terminal.text).not.toContain("withdrawn");
    expect((await openAsk(id)).status).toBe("open");
    await hub.admin.stop(id);
    expect(hub.has("never.txt")).toBe(false);
  });

  test("a terminal that is refused shows asks and answers none", async () => {
    const id = await begin(`Go.\n${bash("touch refused.txt")}\n::say after all`);
    const { terminal, exited } = hub.commandOnTerminal(["attach", id]);
    const elevation = await waitingTerminal();
    await hub.admin.decideElevation(elevation, false);
    await terminal.until("This terminal was not confirmed");
    const ask = await openAsk(id);
    await hub.admin.answer(ask.id, { hash: ask.hash, decision: { behavior: "allow" } });
    await terminal.until("after all");
    await terminal.until("› ");
    terminal.type("\x04"); // Ctrl-D
    expect(await exited).toBe(0);
    expect(hub.has("refused.txt")).toBe(true);
    await hub.admin.stop(id);
  });

  test("Ctrl-C interrupts a turn; what is typed during one is for afterwards, and never dropped", async () => {
    const id = await begin("Go.\n::say Working.\n::wait 600000\n::say never");
    const { terminal, exited } = hub.commandOnTerminal(["attach", id]);
    await terminal.until("Working.");
    terminal.type("Next.\t\r"); // nothing is asked: it is shown before it goes
    await terminal.until(`${LATER}Next.`);
    terminal.type("\r");
    await board(hub.admin, (view) =>
      view.session(id)?.queue.find(({ text }) => text.includes("Next")),
    );
    terminal.type("\r");
    await terminal.until(LATER);
    terminal.type("half");
    await terminal.until("half");
    terminal.type("\x03");
    await terminal.until("Interrupting…");
    await terminal.until("> Next.");
    await terminal.until("› half"); // the turn is over: Enter would send it now
    terminal.type("\x03");
    expect(await exited).toBe(0);
    await hub.admin.stop(id);
  });

  test("a terminal that was confirmed asks to be confirmed again when the hub was started anew", async () => {
    const id = await begin(`Go.\n${bash("touch restarted.txt")}\n::say went on`);
    const { terminal, exited } = hub.commandOnTerminal(["attach", id]);
    await terminal.until("Needs an answer: Bash");
    await hub.admin.decideElevation(await waitingTerminal(), true);
    await terminal.until(CHOICES);
    await terminal.until("> ");
    terminal.type("hal");
    await hub.stopHub();
    await terminal.until("Lost the connection to the hub");
    await terminal.until("> hal"); // the question stays, with what was typed
    await hub.serveAgain();
    await terminal.until("Reconnected to the hub.");
    await terminal.until("> hal");
    terminal.type("\x15");
    await terminal.answer("y", "");
    await terminal.until("confirm this terminal there");
    expect(hub.has("restarted.txt")).toBe(false);
    await hub.admin.decideElevation(await waitingTerminal(), true);
    await terminal.until(CHOICES);
    await terminal.answer("y");
    await terminal.until("went on");
    expect(hub.has("restarted.txt")).toBe(true);
    await terminal.until("› ");
    terminal.type("\x04"); // Ctrl-D
    expect(await exited).toBe(0);
    await hub.admin.stop(id);
  });

  test("Ctrl-C while an ask is open interrupts the turn and does not leave", async () => {
    const id = await begin(`Go.\n${bash("touch interrupted.txt")}\n::say never`);
    const { terminal, exited } = hub.commandOnTerminal(["attach", id]);
    await terminal.until("Needs an answer: Bash");
    await hub.admin.decideElevation(await waitingTerminal(), true);
    await terminal.until(CHOICES);
    terminal.type("\x03");
    await board(hub.admin, (view) => (view.session(id)?.openAsks === 0 ? true : undefined));
    await terminal.until("› ");
    expect(terminal.text).toContain("Interrupting…");
    terminal.type("\x03"); // however soon after the first: at the prompt it leaves
    expect(await exited).toBe(0);
    expect(hub.has("interrupted.txt")).toBe(false);
    await hub.admin.stop(id);
  });

  test("a hub that goes away and comes back, also at another port, is waited for", async () => {
    const id = await begin("Hello.\n::say Before.");
    await hub.admin.changeSession(id, { policy: "autonomous", confirmed: true });
    const { terminal, exited } = hub.commandOnTerminal(["attach", id]);
    await terminal.until(", autonomous");
    await terminal.until("> Hello.\n::say Before.");
    await terminal.until("Before.");
    await terminal.until("› ");
    await hub.stopHub();
    await terminal.until("Lost the connection to the hub");
    await hub.serveAgain();
    await terminal.until("Reconnected to the hub.");
    await hub.admin.changeSession(id, { policy: "default" });
    await terminal.until("The policy is now default.");
    await terminal.answer("Still there?\t::say x", "› ");
    await terminal.until("> Still there?");
    await terminal.until("› ");
    // Also at another port.
    await hub.stopHub();
    await terminal.until("Lost the connection to the hub");
    const there = await hub.serveElsewhere();
    await terminal.until("Reconnected to the hub.");
    await there.runnerComes();
    await terminal.answer("And there?\t::say y", "› ");
    await terminal.until("> And there?");
    await terminal.until("› ");
    terminal.type("\x04"); // Ctrl-D
    expect(await exited).toBe(0);
    await hub.command(["stop", id]);
  });
});
