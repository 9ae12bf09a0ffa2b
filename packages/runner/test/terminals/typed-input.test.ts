import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { terminalInputText } from "@signalbox/api/proof";
import { createSigningKey } from "@signalbox/runner/keys";
import { until } from "@signalbox/testing/until";
import type { TerminalFrameToHub } from "../../src/link/terminal-frames.ts";
import { Approvers } from "../../src/supervise/approvers.ts";
import { Terminals } from "../../src/terminals/terminals.ts";

setDefaultTimeout(180_000);

test("[TM11] what was typed into a terminal does not count in a later one of the same id", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-typed-"));
  const desk = createSigningKey();
  const approvers = new Approvers();
  approvers.set([{ id: "desk", publicKey: desk.publicKey }]);
  const frames: TerminalFrameToHub[] = [];
  const terminals = new Terminals({
    owner: "test",
    runner: "runner",
    inheritFrom: { PATH: process.env["PATH"], HOME: folder, SHELL: "/bin/sh" },
    approvers,
    send: (frame) => frames.push(frame),
  });
  /** Opens the terminal, and returns what is signed for it. */
  const open = async () => {
    const before = frames.length;
    const size = { cols: 80, rows: 24 };
    const place = { terminal: "t", session: "s", name: "Shell 1", folder };
    await terminals.openShell({ kind: "open-shell", ...place, ...size });
    terminals.receive({ type: "terminal-watch", terminal: "t" });
    const { instance } = await until("there is a snapshot", () =>
      frames.slice(before).find((frame) => frame.type === "terminal-snapshot"),
    );
    return (source: string, data: string) => {
      const typed = { terminal: "t", source, count: 1, data };
      const signature = desk.sign(terminalInputText({ runner: "runner", instance, ...typed }));
      return { type: "terminal-input", ...typed, by: "desk", signature } as const;
    };
  };
  try {
    const sign = await open();
    const typed = sign("page", `echo typed >> ${folder}/typed; touch ${folder}/done\r`);
    terminals.receive(typed);
    await until("it is carried out", () => existsSync(join(folder, "done")));
    terminals.receive(typed);
    await terminals.close("t");
    const signAgain = await open();
    terminals.receive(typed);
    terminals.receive(signAgain("another page", `touch ${folder}/later\r`));
    await until("what is typed into the new one is", () => existsSync(join(folder, "later")));
    expect(readFileSync(join(folder, "typed"), "utf8")).toBe("typed\n");
  } finally {
    await terminals.closeAll();
    rmSync(folder, { recursive: true });
  }
});
