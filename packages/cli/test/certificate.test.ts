import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { openStage } from "@signalbox/testing/cli-stage";

setDefaultTimeout(180_000);
const hasOpenssl = Bun.which("openssl") !== null;

/** The commands with which the manual makes a certificate. */
function commandsOfManual(): string {
  const manual = readFileSync(join(import.meta.dir, "../../../docs/running.md"), "utf8");
  const blocks = [...manual.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = ""]) => commands);
  return blocks.find((commands) => commands.includes("openssl")) ?? "exit 1";
}

/** Whether a client that believes this authority believes who listens there, under this name. */
function believes(port: number, ca: string, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, servername: name, ca }, () => {
      resolve(socket.authorized);
      socket.destroy();
    });
    socket.on("error", () => resolve(false));
  });
}

test.if(hasOpenssl)(
  "[HH75] the manual's commands make a certificate that a hub takes and a client of the authority believes",
  async () => {
    await using stage = await openStage();
    const home = stage.at("home");
    mkdirSync(home);
    const env = { HOME: home, PATH: process.env["PATH"] };
    const made = Bun.spawnSync(["sh", "-e", "-c", commandsOfManual()], { env, cwd: home });
    expect([made.exitCode, made.stderr.toString()]).toEqual([0, expect.any(String)]);
    const files = join(home, ".local/share/signalbox");
    const [ca, cert, key] = ["ca.pem", "tls.pem", "tls.key"].map((name) => join(files, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [key, join(files, "ca.key")])
      expect(statSync(path).mode & 0o777).toBe(0o600);
    const name = hostname();
    const strict = ["-x509_strict", "-purpose", "sslserver", "-verify_hostname", name];
    const checked = Bun.spawnSync(["openssl", "verify", ...strict, "-CAfile", ca, cert]);
    expect(checked.stdout.toString()).toContain("OK");
    const tls = ["--host", "0.0.0.0", "--name", name, "--tls-cert", cert, "--tls-key", key];
    const hub = stage.start(["serve", "--port", "0", "--data", files, ...tls]);
    const decoder = new TextDecoder();
    let said = "";
    for await (const piece of hub.stdout) {
      said += decoder.decode(piece, { stream: true });
      if (said.includes("\n")) break;
    }
    const port = Number(new URL(/https:\S+/.exec(said)?.[0] ?? "").port);
    const authority = readFileSync(ca, "utf8");
    expect(await believes(port, authority, name)).toBe(true);
    expect(await believes(port, authority, "another.example")).toBe(false);
    hub.kill("SIGTERM");
    expect(await hub.exited).toBe(0);
    await stage.signalbox(["stop", "--all", "--data", files]);
  },
);
