import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Child, type Cost } from "../hub/child.ts";
import { WebRig } from "../web/window.ts";

/** A hub with the page, a real runner, and a repository in which a session works. */
export async function openViewStage(files: Iterable<readonly [path: string, text: string]>) {
  const rig = await WebRig.open();
  const { hub } = rig;
  const home = join(hub.place, "home");
  const root = join(hub.place, "work");
  for (const folder of [home, root]) mkdirSync(folder);
  const git = (...args: string[]) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home };
    const { exitCode, stdout, stderr } = Bun.spawnSync(["git", "-C", root, ...args], { env });
    if (exitCode !== 0) throw new Error(stderr.toString());
    return stdout.toString();
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  git("init", "-q", "-b", "main");
  git("config", "user.email", "bench@example.org");
  git("config", "user.name", "Bench");
  for (const [path, text] of files) write(path, text);
  git("add", ".");
  git("commit", "-qm", "Begin");
  const invitation = await hub.command<{ code: string }>("POST", "/api/pairings", {
    role: "runner",
  });
  const { key, device, hub: identity } = await hub.pair(invitation.code);
  const args = [hub.url, join(hub.place, "runner"), home];
  const runner = new Child<{ pid: number }, Cost>("runner.ts", args);
  runner.tell(JSON.stringify({ key, hubKey: identity.key, runner: device.id }));
  await runner.begin;
  const { id } = await hub.command<{ id: string }>("POST", "/api/sessions", {
    folder: root,
    runner: device.id,
  });
  return {
    rig,
    root,
    git,
    write,
    session: id,
    /** Opens the view of changes, and waits until this is in it. */
    async show(text: string): Promise<void> {
      await rig.tab.goto(`${hub.url}/s/${id}/changes`);
      await rig.tab.locator("[data-role=changes-page]").getByText(text).first().waitFor();
    },
    async [Symbol.asyncDispose]() {
      runner[Symbol.dispose]();
      await rig[Symbol.asyncDispose]();
    },
  };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
