import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { connect, sessionLamp } from "@signalbox/client";
import { pairDevice } from "@signalbox/testing/paired-device";
import { until } from "@signalbox/testing/until";
import { findParent } from "@signalbox/testing/process-facts";
import { openStage } from "@signalbox/testing/cli-stage";

/** It makes certificates; the project installs it where it can. */
const hasOpenssl = Bun.which("openssl") !== null;

setDefaultTimeout(180_000);

async function firstLine(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of output) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.split("\n", 1)[0] ?? "";
}

/** What was printed up to the end of the line of this number. */
async function readLines(output: ReadableStream<Uint8Array>, count: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of output) {
    text += decoder.decode(piece, { stream: true });
    if (text.split("\n").length > count) break;
  }
  return text;
}

test("the demo begins with five sessions in different states, which can all be tried, and leaves nothing behind", async () => {
  await using stage = await openStage();
  const demo = stage.start(["serve", "--demo", "--port", "0"]);
  const said = await readLines(demo.stdout, 4);
  const link = new URL(/http\S+/.exec(said)?.[0] ?? "");
  const code = link.hash.replace("#pair=", "");
  const { credential } = await pairDevice({ url: link.origin, code, name: "a browser" });
  using hub = connect({ url: link.origin, device: credential });
  using board = hub.watchBoard();
  await until(() => board.view.sessions.length === 5);
  expect(hub.welcome?.device.role).toBe("admin");
  const find = (title: string) => board.view.sessions.find((each) => each.title === title);
  const getLamp = (title: string) => {
    const session = find(title);
    return session && sessionLamp(session).word;
  };
  const seen = () => board.view.sessions.map((each) => [each.title, sessionLamp(each).word]);
  const becomes = (title: string, word: string) =>
    until(`${title}: ${word}`, () => getLamp(title) === word, { seen });
  await becomes("Find the best batch size", "working");
  await becomes("Fix the flaky reader test", "needs you");
  await becomes("Split the sync module", "needs you");
  await becomes("Write the changelog", "failed");
  await becomes("Count bytes, not characters", "idle");

  const ask = (title: string, kind: string) =>
    until(
      `${kind} of ${title}`,
      () => board.view.asks.find((ask) => ask.session === find(title)?.id && ask.kind === kind),
      { seen: () => board.view.asks },
    );
  const edit = await ask("Fix the flaky reader test", "permission");
  await hub.answer(edit.id, { hash: edit.hash, decision: { behavior: "allow" } });
  const question = await ask("Fix the flaky reader test", "question");
  const answers = { "How often should I run the test to be sure?": "Once" };
  await hub.answer(question.id, { hash: question.hash, decision: { behavior: "answer", answers } });
  await becomes("Fix the flaky reader test", "idle");
  const plan = await ask("Split the sync module", "plan");
  await hub.answer(plan.id, { hash: plan.hash, decision: { behavior: "allow" } });
  const write = await ask("Split the sync module", "permission");
  await hub.answer(write.id, { hash: write.hash, decision: { behavior: "allow" } });
  await becomes("Split the sync module", "idle");
  await hub.retry(find("Write the changelog")?.id ?? "");
  await becomes("Write the changelog", "idle");
  // The one that works still does.
  expect(getLamp("Find the best batch size")).toBe("working");

  // Commands find the demo's hub by what it has said.
  expect(said).toContain(`The demo hub is running at ${link.origin} (data folder `);
  const data = /npx signalbox ls --data (\S+)/.exec(said)?.[1] ?? "";
  expect(said).toContain(`or set SIGNALBOX_DATA=${data}\n`); // with no period that would be copied, too
  const listed = await stage.signalbox(["ls"], { environment: { SIGNALBOX_DATA: data } });
  expect(listed.stdout).toContain("Split the sync module");
  // Nothing of the person's own: another home, and a model of its own.
  const { demo: profile } = await hub.environments();
  const address = profile?.["ANTHROPIC_BASE_URL"]?.value;
  expect(address).toStartWith("http");
  expect(address).not.toBe(stage.model.url);
  expect(stage.model.requests).toEqual([]);
  demo.kill("SIGTERM");
  expect(await demo.exited).toBe(0);
  expect(stage.processes()).toEqual([]);
  expect(stage.leftovers()).toEqual([]);
});

test("a demo that is ended while it begins leaves nothing behind either", async () => {
  await using stage = await openStage();
  const demo = stage.start(["serve", "--demo", "--port", "0"]);
  await firstLine(demo.stdout);
  demo.kill("SIGTERM");
  expect(await demo.exited).toBe(0);
  expect(stage.processes()).toEqual([]);
  expect(stage.leftovers()).toEqual([]);
});

test("a demo in a folder that was named says what stays there", async () => {
  await using stage = await openStage();
  const data = join(stage.folder, "../shown");
  const demo = stage.start(["serve", "--demo", "--port", "0", "--data", data]);
  await firstLine(demo.stdout);
  demo.kill("SIGTERM");
  expect(await new Response(demo.stderr).text()).toContain(`Its sessions are kept in ${data}`);
  expect(await demo.exited).toBe(0);
  expect(readdirSync(data)).toContain("signalbox.sqlite");
  expect(stage.leftovers()).toEqual([]);
});

test("[HH71] Ctrl-C, which the terminal sends to launcher, holder and hub, stops it in order", async () => {
  await using stage = await openStage();
  const data = join(stage.folder, "../data");
  const launcher = stage.start(["serve", "--port", "0", "--data", data], { onNode: true });
  await firstLine(launcher.stdout);
  const listChildren = (parent: number) =>
    stage.processes().filter((pid) => findParent(pid) === parent);
  const [holder = 0, ...others] = listChildren(launcher.pid);
  const [hub = 0, ...more] = listChildren(holder);
  expect([...others, ...more]).toEqual([]);
  for (const pid of [hub, holder, launcher.pid]) process.kill(pid, "SIGINT");
  expect(await new Response(launcher.stderr).text()).toContain("The hub has stopped.");
  expect(await launcher.exited).toBe(0);
  expect(readdirSync(data)).not.toContain("hub.json");
  await stage.signalbox(["stop", "--all", "--data", data]);
});

const loopback = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .map(({ address }) => address)
  .filter((address) => address === "127.0.0.1" || address === "::1");

test.each(loopback)(
  "a port that is taken on %s is said, with nothing left running",
  async (hostname) => {
    await using stage = await openStage();
    using server = Bun.serve({ port: 0, hostname, fetch: () => new Response("") });
    const data = join(stage.folder, "data");
    const args = ["serve", "--port", String(server.port), "--data", data];
    const { exit, stdout, stderr } = await stage.signalbox(args);
    expect(exit).toBe(3);
    expect(stdout).toBe("");
    expect(stderr).toContain(`${server.port}`);
    expect(stderr).toContain(`(process ${process.pid})`);
    expect(stage.processes()).toEqual([]);
    expect(readdirSync(data)).not.toContain("hub.json");
  },
);

test("what would show everything to the network is refused", async () => {
  await using stage = await openStage();
  const data = join(stage.folder, "data");
  const wide = await stage.signalbox(["serve", "--host", "0.0.0.0", "--port", "0", "--data", data]);
  expect(wide.exit).not.toBe(0);
  expect(wide.stderr).toContain("without TLS");
  const half = await stage.signalbox(["serve", "--tls-cert", "x.pem", "--data", data]);
  expect(half).toMatchObject({ exit: 2 });
  const far = ["--host", "203.0.113.7", "--proxy", "127.0.0.1", "--name", "x", "--port", "0"];
  const foreign = await stage.signalbox(["serve", ...far, "--data", data]);
  expect(foreign.exit).toBe(3);
  expect(foreign.stderr).toMatch(
    /^signalbox serve: .*this machine does not have that address.*\n$/,
  );
});

test.if(hasOpenssl)(
  "a certificate or key that is none is said in a sentence, before anything is made",
  async () => {
    await using stage = await openStage();
    const [cert, key, other, noise] = ["cert", "key", "other", "noise"].map((name) =>
      join(stage.folder, `${name}.pem`),
    ) as [string, string, string, string];
    const pair = (to: string[]) =>
      Bun.spawnSync([
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ed25519",
        "-nodes",
        "-subj",
        "/CN=x",
        ...to,
      ]);
    pair(["-keyout", key, "-out", cert]);
    pair(["-keyout", other, "-out", noise]);
    writeFileSync(noise, "no key");
    const said = async (certFile: string, keyFile: string) => {
      const files = ["--tls-cert", certFile, "--tls-key", keyFile, "--host", "0.0.0.0"];
      const data = join(stage.folder, "data");
      const { exit, stdout, stderr } = await stage.signalbox([
        "serve",
        ...files,
        "--name",
        "x",
        "--port",
        "0",
        "--data",
        data,
      ]);
      expect([exit, stdout, existsSync(data)]).toEqual([2, "", false]);
      expect(stderr.trim().split("\n")).toHaveLength(2); // and where help is
      return stderr;
    };
    expect(await said("nope", key)).toContain("--tls-cert: the file nope does not exist.");
    expect(await said(stage.folder, key)).toContain("cannot be read.");
    expect(await said(noise, key)).toContain(
      "is not a certificate or a certificate chain in PEM format.",
    );
    const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for (const above of [broken, broken.slice(0, 35)]) {
      writeFileSync(noise, readFileSync(cert, "utf8") + above);
      expect(await said(noise, key)).toContain(
        "is not a certificate or a certificate chain in PEM format.",
      );
    }
    writeFileSync(noise, "no key");
    expect(await said(cert, noise)).toContain(
      "is not a private key in PEM format without a passphrase.",
    );
    expect(await said(cert, other)).toContain("does not match the certificate");
  },
);

test.if(hasOpenssl)(
  "pair prints the address that other devices reach, and its QR code",
  async () => {
    await using stage = await openStage();
    const [cert, key] = [stage.at("cert.pem"), stage.at("key.pem")];
    const made = ["-keyout", key, "-out", cert, "-nodes", "-subj", "/CN=hub.example"];
    Bun.spawnSync(["openssl", "req", "-x509", "-newkey", "ed25519", ...made]);
    const data = join(stage.folder, "../data");
    const outside = [
      "--host",
      "0.0.0.0",
      "--name",
      "hub.example",
      "--tls-cert",
      cert,
      "--tls-key",
      key,
    ];
    const hub = stage.start(["serve", "--port", "0", "--data", data, ...outside]);
    const link = new URL(/http\S+/.exec(await firstLine(hub.stdout))?.[0] ?? "");
    const { exit, stdout, stderr } = await stage.signalbox(["pair", "--data", data]);
    expect(exit).toBe(0);
    expect(stdout).toContain("█▀");
    expect(stdout).toContain(`https://hub.example:${link.port}/#pair=`);
    expect(stderr).not.toContain("on this machine");
    hub.kill("SIGTERM");
    expect(await hub.exited).toBe(0);
    await stage.signalbox(["stop", "--all", "--data", data]);
  },
);

test("every command explains itself", async () => {
  await using stage = await openStage();
  const { stdout } = await stage.signalbox(["--help"]);
  const names = [...stdout.matchAll(/^ {2}(\w+) {2,}\S/gm)].map(([, name = ""]) => name);
  expect(names).toContain("serve");
  for (const name of names) {
    const { exit, stdout } = await stage.signalbox([name, "--help"]);
    expect([exit, stdout.split("\n", 1)[0]]).toEqual([
      0,
      expect.stringContaining(`signalbox ${name}`),
    ]);
  }
});

test.each([
  ["a database that is a folder", (data: string) => mkdirSync(join(data, "signalbox.sqlite"))],
  ["a lock that is a folder", (data: string) => mkdirSync(join(data, "hub.lock"))],
  ["a log that is a folder", (data: string) => mkdirSync(join(data, "hub.log"))],
  [
    "a database that is missing beside the files of a hub",
    (data: string) => writeFileSync(join(data, "reserve"), ""),
  ],
] as const)("%s ends the start with one sentence", async (_, spoil) => {
  await using stage = await openStage();
  const data = join(stage.folder, "../spoiled");
  mkdirSync(data);
  spoil(data);
  const { exit, stdout, stderr } = await stage.signalbox(["serve", "--port", "0", "--data", data]);
  expect(exit).toBe(3);
  expect(stdout).toBe("");
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain(data);
});

test("[LK25] a hub that stops without agents leaves no runner behind for long", async () => {
  await using stage = await openStage();
  const data = join(stage.folder, "../data");
  const hub = stage.start(["serve", "--port", "0", "--data", data]);
  await firstLine(hub.stdout);
  await until("the runner has come to the hub", async () => {
    const { stdout } = await stage.signalbox(["machines", "--data", data]);
    return stdout.includes("connected");
  });
  hub.kill("SIGTERM");
  await hub.exited;
  await until("no process is left", () => stage.processes().length === 0);
});
