import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SearchResults } from "@signalbox/client";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

let hub: HubStage;
let reader: string;
let other: string;
beforeAll(async () => {
  hub = await openHubStage();
  reader = await makeSession("Reader", [
    '::tool Bash {"command":"echo needleHaystackValue"}',
    '::tool Read {"file_path":"/nowhere/rows.ts"}',
    "::say The zeppelin reads rows.",
  ]);
  other = await makeSession("Other", ["::say Nothing about airships, but a quixotic secret."]);
});
afterAll(() => hub[Symbol.asyncDispose]());

/** A session whose turn is over. */
async function makeSession(title: string, script: readonly string[]): Promise<string> {
  const prompt = { text: `Please look at the marzipan\n${script.join("\n")}` };
  const options = { folder: hub.folder, title, policy: "supervised" as const, prompt };
  const { id } = await hub.admin.createSession(options);
  await until(`the turn of ${title} is over`, async () => {
    for (const ask of await hub.admin.asks())
      await hub.admin.answer(ask.id, { hash: ask.hash, decision: { behavior: "allow" } });
    const session = await hub.admin.session(id);
    return session.summary.turns > 0 && session.summary.status === "idle";
  });
  return id;
}

/** What is found as soon as all is indexed. */
const search = (query: string, options = {}): Promise<SearchResults> =>
  until(`the search for ${query}`, async () => {
    const found = await hub.admin.search(query, options);
    return found.pending === 0 ? found : undefined;
  });
/** Without prompts, which hold what the model is to say. */
const list = ({ hits }: SearchResults) =>
  hits.flatMap(({ session, kind }) => (kind === "prompt" ? [] : [`${session}/${kind}`]));
const sessions = ({ hits }: SearchResults) => hits.map(({ session }) => session).toSorted();

describe("search over everything", () => {
  test("[SE1] words of answers, commands and their output are found, also parts of names", async () => {
    const { hits } = await search("zeppelin ");
    const answer = hits.find(({ kind }) => kind === "text");
    expect(answer).toMatchObject({ session: reader, title: "Reader", kind: "text" });
    expect(answer?.snippet).toContainEqual({ text: "zeppelin", match: true });
    expect(list(await search("haystack "))).toEqual([`${reader}/tool`]);
    expect(list(await search("zepp"))).toEqual([`${reader}/text`]);
    expect(list(await search('"reads zeppelin" '))).toEqual([]);
  });

  test("[SE2] filters narrow down by path, tool, person, error, session and folder", async () => {
    expect(list(await search("path:rows.ts is:error "))).toEqual([`${reader}/tool`]);
    expect(list(await search("tool:bash haystack "))).toEqual([`${reader}/tool`]);
    expect(sessions(await search("marzipan from:me "))).toEqual([reader, other].toSorted());
    expect(sessions(await search("marzipan ", { session: other }))).toEqual([other]);
    expect(sessions(await search("marzipan project:no-such-folder "))).toEqual([]);
    expect(sessions(await search("marzipan before:2020 "))).toEqual([]);
  });

  test("[SE5] the command prints what was found, and says when nothing was", async () => {
    const { exit, stdout } = await hub.command(["search", "zeppelin"]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining("zeppelin") });
    expect(stdout).toContain("Reader");
    const json = await hub.command([
      "search",
      "--json",
      "--session",
      "Reader",
      "tool:Bash",
      "haystack",
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({ session: reader, tool: "Bash" });
    const none = await hub.command(["search", "nosuchwordanywhere"]);
    expect({ exit: none.exit, stdout: none.stdout }).toEqual({ exit: 4, stdout: "No results.\n" });
    expect((await hub.command(["search"])).exit).toBe(2);
  });

  test("[SE6] an index that is damaged or missing is made again", async () => {
    await hub.stopHub();
    writeFileSync(join(hub.data, "search.sqlite"), "this is no database ".repeat(500));
    await hub.serveAgain();
    expect(list(await search("zeppelin "))).toEqual([`${reader}/text`]);
    await hub.stopHub();
    rmSync(join(hub.data, "search.sqlite"));
    await hub.serveAgain();
    expect(list(await search("zeppelin "))).toEqual([`${reader}/text`]);
  });

  test("[SE7] nothing of a deleted session is found, or left in the files of the index", async () => {
    expect(sessions(await search("quixotic "))).toContain(other);
    await hub.admin.deleteSession(other);
    expect(sessions(await search("quixotic "))).toEqual([]);
    await hub.stopHub();
    const files = readdirSync(hub.data).filter((name) => name.startsWith("search.sqlite"));
    expect(files).toContain("search.sqlite");
    for (const name of files)
      expect(readFileSync(join(hub.data, name)).includes("quixotic")).toBe(false);
    await hub.serveAgain();
  });
});
