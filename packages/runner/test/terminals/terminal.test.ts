import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Pty, Screen, startPty } from "@signalbox/host/pty";
import { until } from "@signalbox/testing/until";
import { Terminal } from "@signalbox/host/pty";
import { TerminalStream, UNACKNOWLEDGED_OUTPUT } from "../../src/terminals/terminal-stream.ts";
import type { TerminalFrameToHub } from "../../src/link/terminal-frames.ts";

setDefaultTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), "signalbox-terminal-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(script: string, size = { cols: 80, rows: 24 }) {
  const terminal = new Terminal(size);
  const pty = await startPty({
    command: "/bin/bash",
    args: ["--norc", "-c", script],
    folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, TERM: "xterm-256color" },
    runId: crypto.randomUUID(),
    size,
    onOutput: terminal.onOutput,
  });
  terminal.attach(pty);
  return {
    terminal,
    pty,
    async [Symbol.asyncDispose]() {
      await pty.close();
      terminal.dispose();
    },
  };
}

/** A hub that draws what it gets; it acknowledges only when it is told to. */
class SlowHub {
  readonly frames: TerminalFrameToHub[] = [];
  #screen = new Screen({ cols: 80, rows: 24 }, () => {});
  #at: number | undefined;
  gaps = 0;

  readonly send = (frame: TerminalFrameToHub): void => {
    this.frames.push(frame);
    if (frame.type === "terminal-snapshot") {
      this.#screen = new Screen(frame, () => {});
      this.#screen.write(frame.text, () => {});
      this.#at = frame.at;
    } else if (frame.type === "terminal-output") {
      if (frame.at !== this.#at) this.gaps += 1;
      this.#at = frame.at + frame.text.length;
      this.#screen.write(frame.text, () => {});
    }
  };
  get at(): number {
    return this.#at ?? 0;
  }
  get sent(): number {
    return this.frames.reduce((sum, frame) => sum + ("text" in frame ? frame.text.length : 0), 0);
  }
  drawn(): Promise<string> {
    return new Promise((resolve) =>
      this.#screen.write("", () => resolve(this.#screen.visibleText())),
    );
  }
}

describe("a terminal of the runner", () => {
  test("[TM4] late followers get the screen as it is, and the stream continues without a gap", async () => {
    await using running = await run(
      "seq 1 5000; echo ready; read line; seq 1 300; echo end-$line; read x",
    );
    await until(() => running.terminal.visibleText().includes("ready"));
    const hub = new SlowHub();
    const stream = new TerminalStream("t", running.terminal, hub.send);
    await until("the snapshot comes", () => hub.frames.length);
    expect(await hub.drawn()).toContain("ready");
    running.terminal.write("go\r");
    await until("the end is drawn", async () => (await hub.drawn()).includes("end-go"));
    expect(hub.gaps).toBe(0);
    expect(await hub.drawn()).toBe(running.terminal.visibleText());
    stream.end();
  });

  test("[TM5] a follower that does not acknowledge costs one mebibyte, holds nobody up, and then gets the screen", async () => {
    await using running = await run("seq 1 600000; echo all-done; read x; echo more; read x");
    const hub = new SlowHub();
    const stream = new TerminalStream("t", running.terminal, hub.send);
    await until("the program is not held up", () =>
      running.terminal.visibleText().includes("all-done"),
    );
    expect(hub.sent).toBeLessThan(2 * UNACKNOWLEDGED_OUTPUT);
    expect(await hub.drawn()).not.toContain("all-done");
    stream.acknowledge(hub.at);
    await until("the screen is caught up", async () => (await hub.drawn()).includes("all-done"));
    stream.acknowledge(hub.at);
    running.terminal.write("\r");
    await until("the stream continues", async () => (await hub.drawn()).includes("more"));
    expect(await hub.drawn()).toBe(running.terminal.visibleText());
    stream.end();
  });

  test("[TM14] snapshots that are requested at the same time are one", async () => {
    await using running = await run("seq 1 20000; echo ready; read x; echo done; read x", {
      cols: 500,
      rows: 300,
    });
    await until(() => running.terminal.visibleText().includes("ready"));
    const hub = new SlowHub();
    const stream = new TerminalStream("t", running.terminal, hub.send);
    for (let nth = 0; nth < 1000; nth++) stream.requestSnapshot();
    const snapshots = () => hub.frames.filter(({ type }) => type === "terminal-snapshot").length;
    await until("the first has come", () => snapshots() > 0);
    for (let nth = 0; nth < 1000; nth++) stream.requestSnapshot();
    await until("one for the others", () => snapshots() > 1);
    stream.acknowledge(hub.at);
    running.terminal.write("\r");
    await until("the stream continues", async () => (await hub.drawn()).includes("done"));
    expect(snapshots()).toBeLessThanOrEqual(3);
    stream.end();
  });

  test("[TM12] of a flood of queries so many a second are answered", async () => {
    const terminal = new Terminal({ cols: 80, rows: 24 });
    const answers: string[] = [];
    const exited = new Promise<never>(() => {});
    const write = (text: string) => void answers.push(text);
    terminal.attach({ write, exited } as unknown as Pty);
    terminal.onOutput(Buffer.from("\u001b[c".repeat(20_000)));
    await terminal.snapshot();
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.length).toBeLessThan(5000); // a hundred for each second that the screen took
    terminal.dispose();
  });

  test("[TM6] nonsense sizes are limited, and the program is told of the limited size", async () => {
    await using running = await run("read x; stty size; read x", { cols: 1_000_000, rows: -3 });
    expect(running.terminal.size).toEqual({ cols: 500, rows: 2 });
    running.terminal.resize({ cols: 90, rows: Number.NaN });
    running.terminal.resize({ cols: 91, rows: 31 });
    running.terminal.write("\r");
    await until(() => running.terminal.visibleText().includes("31 91"));
  });

  test("[TM7] every byte there is, in any order, neither hangs the terminal nor ends it", async () => {
    await using running = await run(
      "head -c 400000 /dev/urandom; printf '\\ec'; echo; echo survived; read x",
    );
    await until("the terminal goes on", () => running.terminal.visibleText().includes("survived"));
    const snapshot = await running.terminal.snapshot();
    // oxlint-disable-next-line no-control-regex -- queries and strings are what must not be in it
    expect(snapshot.text).not.toMatch(/\u001b[P\]X^_]|\u001b\[[\d;?>]*[cnq]/);
  });

  test("[TM8] closing a terminal ends its program and whatever that has started", async () => {
    const running = await run(
      "setsid sleep 1000 & trap '' HUP TERM; echo up; while :; do sleep 1000; done",
    );
    await until(() => running.terminal.visibleText().includes("up"));
    await running[Symbol.asyncDispose]();
    expect(await running.pty.exited).toMatchObject({ code: null, signal: "SIGKILL" });
  });
});
