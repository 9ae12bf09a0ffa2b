import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Whole, settle } from "@signalbox/testing/whole-hub";
import { until } from "@signalbox/testing/until";

/** A user of the system that owns nothing. */
const NOBODY = 65_534;
/** What a driver may do, and what says only that it still waits. */
const harmless = new Set(["pairing", "pair", "elevation", "ticket", "leave"]);

interface Results {
  readonly tried: readonly { what: string; status: number; token: boolean }[];
  readonly found: number;
  readonly rounds: number;
}

/**
 * The real agent attacks for so many seconds, at least once, while a request of its own waits for an
 * answer. Gives how often it went through everything. Nothing but a person allows anything meanwhile.
 */
export async function attackAsOneself(whole: Whole, seconds: number): Promise<number> {
  const { place } = whole;
  const script = join(import.meta.dir, "red-team.mjs");
  const command = (results: string) =>
    `${process.execPath} ${script} ${join(place, "data")} ${results} ${seconds}`;
  const { admin, results } = await attack(whole, command);
  const { tried, found, rounds } = results;
  expect(tried.filter(({ what, status }) => status < 400 && !harmless.has(what))).toEqual([]);
  expect(tried.filter(({ token }) => token)).toEqual([]);
  expect(tried.map(({ what }) => what)).toContain("answer by a stored hash");
  expect(found).toBe(0);
  // What cannot be prevented is seen: the same user may write to the database.
  const before = await admin("GET", "/api/audit?verify=1");
  expect(before.body).toMatchObject({ verified: { broken: null } });
  using database = new Database(join(place, "data", "signalbox.sqlite"));
  for (const { name } of database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    .all()) {
    database.run(`DROP TRIGGER "${name}"`);
  }
  database.run("UPDATE audit SET what = 'answered' WHERE nth = 1");
  const after = await admin("GET", "/api/audit?verify=1");
  expect(after.body).toMatchObject({ verified: { broken: 1 } });
  return rounds;
}

/** The same by a process of another user, which is told what waits and where, but has no credential. */
export async function attackAsAnother(whole: Whole, seconds: number): Promise<number> {
  const { place, hub } = whole;
  const open = join(place, "open");
  const bun = join(open, "bun");
  const script = join(open, "red-team.mjs");
  chmodSync(place, 0o755);
  mkdirSync(open);
  copyFileSync(process.execPath, bun);
  copyFileSync(join(import.meta.dir, "red-team-of-another.mjs"), script);
  chmodSync(open, 0o777);
  chmodSync(bun, 0o755);
  chmodSync(script, 0o644);
  const brief = join(open, "brief.json");
  const user = `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups env -i HOME=${open}`;
  const command = () =>
    `${user} ${bun} ${script} ${brief} ${join(place, "data")} ${join(open, "results.json")} ${seconds}`;
  const told = (ask: object) => {
    const facts = { ...ask, url: hub.url, hub: process.pid };
    writeFileSync(`${brief}.draft`, JSON.stringify(facts));
    chmodSync(`${brief}.draft`, 0o644); // the hub in this process has made the umask narrow
    renameSync(`${brief}.draft`, brief);
  };
  const { results } = await attack(whole, command, join(open, "results.json"), told);
  expect(results.tried.filter(({ status }) => status < 400)).toEqual([]);
  expect(results.tried.filter(({ token }) => token)).toEqual([]);
  // Another hub's secrets may stand in some process's command line: to this hub they are nobody's.
  const known = ({ what, status }: Results["tried"][number]) =>
    what === "answer by a found secret" && status !== 401 && status !== 429;
  expect(results.tried.filter(known)).toEqual([]);
  return results.rounds;
}

async function attack(
  whole: Whole,
  command: (results: string) => string,
  results = join(whole.place, "results.json"),
  told: (ask: object) => void = () => {},
) {
  const { hub, folder } = whole;
  const { admin } = await settle(whole);
  const sentinel = join(folder, "sentinel.txt");
  const attacking = { command: command(results), run_in_background: true };
  const writing = { file_path: sentinel, content: "written" };
  const text = `::tool Bash ${JSON.stringify(attacking)}\n::tool Write ${JSON.stringify(writing)}\n::say done`;
  const session = randomUUID();
  // As where there is no bubblewrap: an isolated agent does not even see what it could try this with.
  const options = { folder, prompt: { text }, isolation: "off" };
  await admin("POST", "/api/sessions", options, session);
  await until(() => hub.engine.asks.list().length > 0);
  const [first] = hub.engine.asks.list();
  const allow = { hash: first?.hash, decision: { behavior: "allow" } };
  expect((await admin("POST", `/api/asks/${first?.id}/answer`, allow)).status).toBe(200);
  const waiting = () =>
    hub.engine.asks.list().find(({ input }) => JSON.stringify(input).includes("sentinel"));
  await until(waiting);
  told(waiting() ?? {});
  await until(() => existsSync(results) && readFileSync(results, "utf8") !== "");
  expect(waiting()?.status).toBe("open");
  expect(existsSync(sentinel)).toBe(false);
  await admin("POST", `/api/sessions/${session}/stop`);
  expect(existsSync(sentinel)).toBe(false);
  return { admin, results: JSON.parse(readFileSync(results, "utf8")) as Results };
}
