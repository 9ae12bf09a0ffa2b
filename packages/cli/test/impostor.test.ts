import { expect, setDefaultTimeout, test } from "bun:test";
import { connect, HubError } from "@signalbox/client";
import { until } from "@signalbox/testing/until";
import { when } from "./faults/seen.ts";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { IMPOSTOR_MARK, recordIdentity, startImpostor } from "@signalbox/testing/impostor";

setDefaultTimeout(180_000);

test("[HD6] who takes the port of a killed hub learns nothing from a client, the command line and the runner; all go on when the hub is back", async () => {
  await using hub = await openHubStage();
  const signed: { url: string; init: RequestInit }[] = [];
  using viewer = connect({
    url: hub.url,
    device: hub.browser.credential,
    timing: { firstRetryMs: 50, maxRetryMs: 200 },
    fetch: (url, init) => {
      if (new Headers(init.headers).has("authorization")) signed.push({ url, init });
      return fetch(url, init);
    },
  });
  const title = "A private title";
  const { id } = await hub.admin.createSession({
    folder: hub.folder,
    title,
    prompt: { text: 'Go.\n::tool Bash {"command":"touch made.txt"}\n::say Made.' },
  });
  using board = viewer.watchBoard();
  using watch = viewer.watchSession(id);
  const ask = () => board.view.asks.find(({ status }) => status === "open");
  await when(board, () => ask() !== undefined);
  const asked = ask()?.id ?? "";
  const answer = { hash: ask()?.hash ?? "", decision: { behavior: "allow" as const } };
  const recorded = await recordIdentity(hub.url);
  using impostor = await startImpostor({ port: hub.port, recorded });

  using caller = connect({ url: hub.url, device: hub.browser.credential }); // without a live link
  await Promise.all([caller.sessions(), viewer.sessions()]); // the hub was heard of just now
  const [before] = signed.splice(0);
  await hub.killHub();
  await impostor.hasPort();
  const refused: unknown = await caller
    .send(id, { text: "Called for the hub alone." })
    .catch((e) => e);
  expect(HubError.is(refused, "not-the-hub")).toBe(true);

  // The runner asks for 127.0.0.1, as the descriptor says; the others of this test for localhost.
  const from = (host: string) => impostor.requests().filter((each) => each.host === host).length;
  await until("the runner has dialed", () => from("127.0.0.1") > 2);
  const message = "Typed for the hub alone.\n::say Heard.";
  await viewer.outbox.add(id, { text: message });
  const failure: unknown = await viewer.answer(asked, answer).catch((e) => e);
  expect(HubError.is(failure, "not-the-hub")).toBe(true);
  for (const args of [["ls"], ["send", id, "Sent for the hub alone."]]) {
    const { exit, stdout, stderr } = await hub.command(args);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain("is not the hub");
  }
  const dialed = from("localhost");
  await until("the client has dialed again and again", () => from("localhost") > dialed + 3);
  expect(viewer.state.kind).toBe("offline");
  await impostor.end();

  await hub.serveAgain();
  await when(board, () => ask() !== undefined && viewer.state.kind === "live");
  expect(board.view.asks.map((each) => each.id)).toEqual([asked]);
  await viewer.answer(asked, answer);
  const texts = () => watch.view.ids.flatMap((item) => watch.view.item(item) ?? []);
  await when(watch, () => JSON.stringify(texts()).includes("Heard."));
  const prompts = texts().filter(({ kind }) => kind === "prompt");
  expect(JSON.stringify(prompts).split("Typed for the hub alone.")).toHaveLength(2);
  expect(hub.has("made.txt")).toBe(true);
  expect((await hub.command(["ls"])).stdout).toContain(title);
  expect(JSON.stringify([board.view.sessions, board.view.asks, texts()])).not.toContain(
    IMPOSTOR_MARK,
  );

  // What a request of before the kill was signed with is of no use any more.
  const again = await fetch(before?.url ?? "", before?.init);
  expect(again.status).toBe(401);
  const all = impostor.texts().join("\n");
  expect(new Set(impostor.requests().map(({ line }) => line))).toEqual(
    new Set(["POST /api/identity"]),
  );
  expect(all).not.toMatch(/authorization/i);
  const secrets = ["for the hub alone", title, id, asked, answer.hash, hub.browser.view.id];
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
});
