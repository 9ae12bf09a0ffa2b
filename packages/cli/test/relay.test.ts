import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AskView, connect } from "@signalbox/client";
import { pairDevice } from "@signalbox/testing/paired-device";
import { testedAgent } from "@signalbox/testing/tested-agent";
import { openCutter } from "@signalbox/testing/cutter";
import { openStage } from "@signalbox/testing/cli-stage";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

const old = Bun.resolveSync("claude-code-2.1.7/cli.js", import.meta.dir);
const touch = (name: string) =>
  `::tool Bash ${JSON.stringify({ command: `touch ${name}`, description: "make it" })}`;

test("[RL12] [DC4] agents of --sdk-url and of dial outlive a hub that is killed in the middle of an ask; the open relay is called insecure", async () => {
  await using stage = await openStage();
  const data = join(stage.folder, "../data");
  const serve = async (port: string) => {
    const alone = ["serve", "--no-hold", "--port", port, "--data", data];
    const child = stage.start([...alone, "--relay", "--relay-open"]);
    const output = child.stdout.getReader();
    const line = new TextDecoder().decode((await output.read()).value);
    return { child, line };
  };
  const wrong = await stage.signalbox(["serve", "--relay-open", "--data", data]);
  expect(wrong).toMatchObject({ exit: 2, stderr: expect.stringContaining("require --relay") });
  const open = ["serve", "--relay", "--relay-open", "--data", data];
  for (const more of [
    ["--host", "0.0.0.0"],
    ["--proxy", "127.0.0.1"],
  ]) {
    const far = await stage.signalbox([...open, ...more]);
    expect(far).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("cannot be used with --host or --proxy"),
    });
  }
  const first = await serve("0");
  const link = new URL(/http\S+/.exec(first.line)?.[0] ?? "");
  const code = link.hash.replace("#pair=", "");
  const { credential } = await pairDevice({ url: link.origin, code, name: "a browser" });
  using hub = connect({ url: link.origin, device: credential });
  using board = hub.watchBoard();

  const nobody = await stage.signalbox(["discover", "--attach", "8774", "--data", data]);
  expect(nobody.exit).not.toBe(0);
  expect(nobody.stderr).toContain("port 8774");

  const invite = async (title: string) => {
    const { stdout } = await stage.signalbox(["relay", "--title", title, "--data", data]);
    const [url = "", secret = ""] = stdout.trim().split("\n");
    return { url, secret, session: url.split("/").at(-1) ?? "" };
  };
  // Claude Code 2.1.7 gives up after 5.4 s; a busy machine may take longer to start the next hub.
  await using patient = await openCutter(Number(link.port));
  const [plain, dialled] = [await invite("of old"), await invite("of today")];
  const flags = ["--print", "--input-format", "stream-json", "--output-format", "stream-json"];
  const asking = ["--verbose", "--permission-prompt-tool", "stdio", "--replay-user-messages"];
  const agents = [
    stage.startProgram(
      [
        "node",
        old,
        "--sdk-url",
        plain.url.replace(link.port, String(patient.port)),
        ...flags,
        ...asking,
        "-p",
        "",
      ],
      {
        CLAUDE_CODE_SESSION_ACCESS_TOKEN: plain.secret,
      },
    ),
    stage.startProgram(stage.command(["dial", "--data", data, dialled.url, "--", testedAgent]), {
      SIGNALBOX_DIAL_TOKEN: dialled.secret,
    }),
  ];
  const session = (id: string) => board.view.sessions.find((each) => each.id === id);
  const getAsk = (id: string): AskView | undefined =>
    board.view.asks.find((ask) => ask.session === id && ask.status === "open");
  const both = [plain.session, dialled.session];
  await until(() => both.every((id) => session(id)?.state === "running"));
  for (const id of both) {
    await hub.send(id, { text: `::say before\n${touch(`${id}.txt`)}\n::say after` });
  }
  await until(() => both.every((id) => getAsk(id) !== undefined));
  const asked = both.map((id) => getAsk(id)?.id);

  first.child.kill("SIGKILL");
  await first.child.exited;
  expect(await new Response(first.child.stderr).text()).toContain("INSECURE: the relay is open");
  await until(() => hub.state.kind !== "live");
  const second = await serve(link.port);
  await until(
    () => hub.state.kind === "live" && both.every((id) => session(id)?.dialled?.connected === true),
  );
  expect(both.map((id) => getAsk(id)?.id)).toEqual(asked);
  for (const id of both) {
    const ask = getAsk(id);
    if (ask) await hub.answer(ask.id, { hash: ask.hash, decision: { behavior: "allow" } });
  }
  await until(() => both.every((id) => session(id)?.summary["turns"] === 1));
  for (const id of both) {
    expect(existsSync(join(stage.folder, `${id}.txt`))).toBe(true);
    const { items } = await hub.items(id);
    const texts = items.flatMap((item) => (item.kind === "text" ? [item.text] : []));
    expect(texts).toEqual(["before", "after"]);
    expect(session(id)?.state).toBe("running");
  }
  for (const agent of agents) agent.kill("SIGTERM");
  await Promise.all(agents.map((agent) => agent.exited));
  second.child.kill("SIGTERM");
  await second.child.exited;
  await stage.signalbox(["stop", "--all", "--data", data]);
});
