import { signalboxMain, talkingAgent } from "./programs.ts";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCutter } from "./cutter.ts";
import { person, RelayStage, until } from "./relay-stage.ts";

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync("ip", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`ip ${args.join(" ")}: ${stderr}`);
}

/** Making namespaces takes root, and not every container may. */
export function mayMakeNetworks(): boolean {
  return spawnSync("unshare", ["-n", "ip", "link", "add", "v0", "type", "veth"]).status === 0;
}

/** Another machine, as far as the network goes, and the cable to it. */
export class OtherMachine implements Disposable {
  readonly #id = `${process.pid % 100_000}`;
  readonly #net = `10.${200 + (process.pid % 50)}.${process.pid % 250}`;
  readonly name = `sbx-${this.#id}`;
  readonly here = `${this.#net}.1`;
  readonly #cable = `sbx${this.#id}`;

  constructor() {
    ip("netns", "add", this.name);
    ip("link", "add", this.#cable, "type", "veth", "peer", "name", "eth0", "netns", this.name);
    ip("addr", "add", `${this.here}/30`, "dev", this.#cable);
    ip("link", "set", this.#cable, "up");
    ip("-n", this.name, "addr", "add", `${this.#net}.2/30`, "dev", "eth0");
    ip("-n", this.name, "link", "set", "eth0", "up");
    ip("-n", this.name, "link", "set", "lo", "up");
  }

  pull(): void {
    ip("link", "set", this.#cable, "down");
  }
  plug(): void {
    ip("link", "set", this.#cable, "up");
  }

  [Symbol.dispose](): void {
    ip("netns", "del", this.name); // the cable goes with it
  }
}

/**
 * `dial` on one machine, the hub on another. The cable is pulled before the agent writes, and plugged in
 * again after a while. Gives the numbers of the lines as the hub has them.
 */
export async function acrossABrokenCable(lines: number, downMs: number): Promise<number[]> {
  await using stage = await RelayStage.open();
  using far = new OtherMachine();
  await using gate = await openCutter(stage.hub.port, far.here);
  const { session, secret } = await stage.invite("far away");
  const file = join(stage.data, "secret");
  writeFileSync(file, secret, { mode: 0o600 });
  const url = `ws://${far.here}:${gate.port}/ws/cli/${session}`;
  const options = ["--data", join(stage.data, "dial"), "--token-file", file];
  const dial = spawn(
    "ip",
    [
      "netns",
      "exec",
      far.name,
      process.execPath,
      signalboxMain,
      "dial",
      ...options,
      url,
      "--",
      talkingAgent,
    ],
    { env: { PATH: process.env["PATH"], HOME: stage.data }, stdio: "ignore" },
  );
  await stage.running(session);
  const steps = [{ wait: 1500 }, { lines, size: 40 }];
  const text = JSON.stringify(steps);
  await stage.engine.prompts.send(session, crypto.randomUUID(), { text }, person);
  await until(() => stage.view(session).summary.status === "active");
  far.pull();
  await Bun.sleep(downMs);
  far.plug();
  await until(() => stage.view(session).summary.turns === 1);
  const numbers = await readNumbers(stage, session);
  const left = once(dial, "exit");
  await stage.engine.sessions.stop(session, person);
  await left;
  return numbers;
}

async function readNumbers(stage: RelayStage, session: string): Promise<number[]> {
  const numbers: number[] = [];
  for (let after = 0; ;) {
    const page = await stage.engine.history.listLines(session, { after, limit: 1000 });
    const last = page.at(-1);
    if (!last) return numbers;
    after = last.pos;
    for (const { from, text } of page) {
      const n = from === "agent" ? /"type":"status","n":(\d+)/.exec(text ?? "")?.[1] : undefined;
      if (n !== undefined) numbers.push(Number(n));
    }
  }
}
