import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModel } from "@signalbox/model";
import { bundledAgent } from "@signalbox/host/agents";
import { emptyEnvironment } from "../empty-environment.ts";

const programs = {
  real: bundledAgent() ?? "",
  ours: new URL("../../bin/signalbox-agent.mjs", import.meta.url).pathname,
};
const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-cross-")));
const folder = join(place, "work");
mkdirSync(folder);
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));

type Block = { type: string; text?: string; name?: string; id?: string; tool_use_id?: string };
type Body = { tools?: unknown[]; messages: { role: string; content: string | Block[] }[] };
let asked: Body[] = [];
const model = await startModel({ script: "", onRequest: ({ body }) => asked.push(body as Body) });
afterAll(() => model.close());

/**
 * Runs a program to its end. Returns calls and results as the model saw them in the last request.
 */
async function run(program: string, home: string, ...argv: string[]): Promise<string[]> {
  asked = [];
  const env = emptyEnvironment(home, model.url);
  const options = ["-p", "--allowed-tools", "Bash", ...argv];
  const child = spawn(program, options, { cwd: folder, env, stdio: "ignore" });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  expect(code).toBe(0);
  const last = asked.findLast(({ tools }) => (tools?.length ?? 0) > 0);
  return (last?.messages ?? []).flatMap(({ role, content }) =>
    (typeof content === "string" ? [] : content).flatMap(({ type, text, id, tool_use_id }) => {
      const isSaid = role === "assistant" && type === "text";
      return type.startsWith("tool_")
        ? [`${type} ${id ?? tool_use_id}`]
        : isSaid
          ? [text ?? ""]
          : [];
    }),
  );
}

test("[AG33] a session by Claude Code reaches the model in the same form as from Claude Code itself", async () => {
  const home = join(place, "home");
  mkdirSync(home);
  const call = (command: string) =>
    `::tool Bash ${JSON.stringify({ command, description: "Say it" })}`;
  const calls = [call("sleep 0.3; echo one"), call("echo two"), call("echo three")];
  const again = [call("echo four"), call("sleep 0.2; echo five")];
  const script = ["Go", ...calls, "::next", ...again, "::next", "::say Done."].join("\n");
  await run(programs.real, home, "--", script);
  const copy = join(place, "copy");
  cpSync(home, copy, { recursive: true });
  const byReal = await run(programs.real, home, "--continue", "--", "::say again");
  const byOurs = await run(programs.ours, copy, "--continue", "--", "::say again");
  expect(byReal.filter((line) => line.startsWith("tool_result"))).toHaveLength(5);
  expect(byOurs).toEqual(byReal);
}, 180_000);
