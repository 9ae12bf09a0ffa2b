import { expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "@signalbox/hub/store";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { parseQuery } from "../../src/search/parse-query.ts";
import { SearchIndex } from "../../src/search/search-index.ts";

test("[SE9] a hundred searches wait, and further ones are refused until there is room", async () => {
  using temporary = tempFolder();
  const folder = join(temporary.path, "data");
  await using store = await openStore(folder);
  await using index = new SearchIndex({ folder, epoch: store.epoch, log: () => {} });
  const request = { query: parseQuery("x", 0), sessions: undefined, limit: 1, now: 0 };
  const searches = Array.from({ length: 101 }, () => index.search(request));
  const outcomes = await Promise.allSettled(searches);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
  expect(outcomes.at(-1)?.status).toBe("rejected");
  expect(await index.search(request)).toEqual({ hits: [], more: false });
});
