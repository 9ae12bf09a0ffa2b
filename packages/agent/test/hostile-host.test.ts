import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { streaming } from "./loop/rig.ts";

setDefaultTimeout(180_000);

const echo = join(import.meta.dir, "../../../examples/echo-agent/echo-agent.ts");

/** Runs the echo agent as a process and returns everything that it wrote. */
async function toldTo(write: (line: (text: string) => Promise<void>) => Promise<void>) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-hostile-")));
  const child = spawn(process.execPath, [echo, ...streaming], { cwd: home, env: { HOME: home } });
  let [said, errors] = ["", ""];
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
  child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()));
  child.stdin.on("error", () => {}); // The process may exit in the middle of a line.
  const ended = once(child, "close");
  await write(async (text) => {
    if (!child.stdin.write(text)) await Promise.race([once(child.stdin, "drain"), ended]);
  });
  child.stdin.end();
  const [code] = (await ended) as [number];
  rmSync(home, { recursive: true, force: true });
  return { code, said, errors };
}

describe("a hostile host", () => {
  test("[AG46] a line of 100 MB is refused by its length and not stored", async () => {
    const { code, said, errors } = await toldTo(async (write) => {
      const piece = "x".repeat(1024 * 1024);
      for (let at = 0; at < 100; at++) await write(piece);
      await write("\n");
    });
    expect(code).toBe(1);
    expect(said).toBe("");
    expect(errors).toStartWith("Error parsing streaming input line: xxx");
    expect(errors.length).toBeLessThan(2000);
  });

  test("[AG46] unknown requests, unexpected answers and invalid bytes do not stop it", async () => {
    const { code, said } = await toldTo(async (write) => {
      const lines = [
        ...Array.from({ length: 200 }, (_, at) => ({
          type: "control_request",
          request_id: `r${at}`,
          request: { subtype: `unknown_${at}`, __proto__: null, constructor: 1 },
        })),
        { type: "control_request", request_id: "r0", request: { subtype: "unknown_0" } },
        { type: "control_response", response: { subtype: "success", request_id: "nobody" } },
        { type: "control_response", response: { request_id: 7 } },
        { type: "control_cancel_request", request_id: "nobody" },
        { type: "control_request", request_id: "odd", request: { subtype: 7 } },
        { type: "user", message: { role: "user", content: "still there?" } },
      ];
      for (const line of lines) await write(`${JSON.stringify(line)}\r\n`);
    });
    expect(code).toBe(0);
    const answers = said
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(answers.filter(({ type }) => type === "control_response")).toHaveLength(202);
    expect(said).toContain("You said: still there?");
  });
});
