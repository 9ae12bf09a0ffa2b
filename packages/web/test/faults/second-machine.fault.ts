import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import { mayMakeNetworks, OtherMachine } from "@signalbox/testing/two-machines";
import { SharedStage } from "../e2e/stage.ts";
import { askToAdd, beginOn } from "../e2e/stories/machines.ts";

setDefaultTimeout(600_000);

const main = join(import.meta.dir, "../../../cli/src/main.ts");
const MODEL_PORT = 8787;

/** A certificate for an address, which whoever names its file trusts. */
function certificateFor(address: string, folder: string) {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=signalbox", "-addext", `subjectAltName=IP:${address}`];
  const made = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject];
  const { exitCode, stderr } = Bun.spawnSync(["openssl", "req", "-x509", ...made]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return { cert, key };
}

/** As `npm start` does, so that it is today's page that is looked at. */
function buildPage(): void {
  const script = join(import.meta.dirname, "../../../../scripts/build-page-if-missing.mjs");
  const { exitCode } = Bun.spawnSync(["node", script], { stdout: "inherit", stderr: "inherit" });
  if (exitCode !== 0) throw new Error("the page could not be built");
}

test.if(mayMakeNetworks())(
  "[MC2] [MC3] a machine in a network of its own is added over TLS, from the page and from a terminal, and sessions run on it",
  async () => {
    buildPage();
    await using steps = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "signalbox-tls-"));
    steps.defer(() => rmSync(folder, { recursive: true }));
    const far = steps.use(new OtherMachine());
    const { cert, key } = certificateFor(far.here, folder);
    const stage = new SharedStage();
    await stage.start(["--host", far.here, "--tls-cert", cert, "--tls-key", key]);
    steps.defer(() => stage.end());
    const { hub } = stage;
    const address = `https://${far.here}:${hub.port}`;
    const there = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${MODEL_PORT}` };
    const startThere = (args: string[], stdin?: string) => {
      const argv = ["ip", "netns", "exec", far.name, process.execPath, main, ...args];
      const child = hub.startProgram(argv, { ...there, NODE_EXTRA_CA_CERTS: cert }, stdin);
      steps.defer(async () => {
        child.kill("SIGTERM");
        await child.exited;
      });
      return child;
    };
    startThere(["model", "--port", String(MODEL_PORT)]);
    const addRunner = (name: string, code: string) => {
      const data = join(hub.place, name);
      return startThere(["runner", "--hub", address, "--name", name, "--data", data], `${code}\n`);
    };
    /** The networks of the agents that run now. */
    const networks = () => new Set(hub.agents().map((pid) => readlinkSync(`/proc/${pid}/ns/net`)));
    const project = join(hub.place, "home", "project");
    mkdirSync(project);

    const window = await stage.open({ context: { ignoreHTTPSErrors: true } });
    const { command, code } = await askToAdd(stage, window);
    expect(command).toBe(`npx signalbox runner --hub ${address}`);
    const runner = addRunner("attic", code);
    await window.page.getByText("attic was added.").waitFor();
    await beginOn(window, "attic", project, "Hello.\n::say From another network.");
    await window.reads("From another network.");
    const network = readlinkSync(`/proc/${runner.pid}/ns/net`);
    expect(networks()).toEqual(new Set([network]));
    expect(network).not.toBe(readlinkSync("/proc/self/ns/net"));

    const { terminal, exited } = hub.commandOnTerminal(["machines", "add"]);
    await terminal.until("Confirm this terminal");
    await window.page.goto(`${address}/`);
    await window.settled("[data-role=let-approve]");
    await window.page.locator("[data-role=let-approve]").click();
    await terminal.until(`npx signalbox runner --hub ${address}`);
    expect(await exited).toBe(0);
    const [second = ""] = /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){4}/.exec(terminal.text) ?? [];
    hub.secrets.push(second);
    addRunner("cellar", second);
    await until("the second machine is connected", async () =>
      (await hub.admin.runners()).some(({ machine, online }) => machine === "cellar" && online),
    );
    const where = ["--machine", "cellar", "--folder", project];
    const begun = await hub.command(["new", ...where, "Hello.\n::say From the cellar."]);
    const followed = await hub.command(["attach", begun.stdout.trim(), "--until-idle"]);
    expect(followed.stdout).toContain("From the cellar.");
    expect(networks()).toEqual(new Set([network]));
    expect((await hub.command(["ls"])).stdout).toMatch(/cellar[^]*attic/);
  },
);
