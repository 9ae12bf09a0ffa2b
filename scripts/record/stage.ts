import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startModel } from "@signalbox/model";
import { Host, type HostOptions, type Launch, stdioDriver } from "@signalbox/host";
import { agents, type AgentVersion, Conversation } from "@signalbox/testing/agent-stage";
import { recordingDriver, type Row } from "./recording-driver.ts";
import type { Place } from "./scrub.ts";

const SETTLE_MS = 400;

/** Where a story is played: a scripted model, a home with a folder in it, and what was recorded. */
export async function openStage(version: AgentVersion, script: string) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-record-")));
  const [home, temporary] = [join(root, "home"), join(root, "tmp")];
  const folder = join(home, "demo");
  for (const path of [folder, temporary]) mkdirSync(path, { recursive: true });
  const model = await startModel({ script });
  const rows: Row[] = [];
  const driver = recordingDriver(stdioDriver(), rows);
  const hosts: Host[] = [];
  const environment = {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "dummy-key-for-recordings",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    TMPDIR: temporary,
    TZ: "UTC",
  };
  const place: Place = { root, home, temporary, modelUrl: model.url };
  return {
    version,
    folder,
    environment,
    rows,
    place,
    note: (note: string) => void rows.push({ from: "host", note }),
    write(name: string, content: string) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    },
    /** Makes the folder a Git repository with everything in it committed. */
    commit() {
      const env = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
      const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env });
      git("init", "-q", "-b", "main");
      git("config", "user.name", "Dev");
      git("config", "user.email", "dev@example.invalid");
      git("add", ".");
      git("commit", "-q", "--allow-empty", "-m", "start");
    },
    async start(launch: Partial<Launch> = {}, options: HostOptions = {}) {
      const inheritFrom = { HOME: home, PATH: process.env["PATH"], LANG: "C.UTF-8", USER: "dev" };
      const agentPath = agents[version];
      const full: Launch = { folder, agentPath, inheritFrom, environment, ...launch };
      const host = await Host.start(driver, full, options);
      hosts.push(host);
      return new Conversation(host);
    },
    /** Lets the agent say what it says after a turn, then stops it. */
    async finish() {
      await Bun.sleep(SETTLE_MS);
      for (const host of hosts.splice(0)) await host.stop();
    },
    /** The folder in which Claude Code writes its transcripts. */
    projects: join(home, ".claude/projects"),
    async [Symbol.asyncDispose]() {
      for (const host of hosts) await host[Symbol.asyncDispose]();
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
export type Stage = Awaited<ReturnType<typeof openStage>>;
