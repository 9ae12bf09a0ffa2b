import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type {
  AllowedFoldersView,
  NewSession,
  PolicyName,
  SessionOptionsChange,
} from "@signalbox/api";
import { until } from "@signalbox/testing/until";
import type { SessionSummary } from "../../src/engine.ts";
import {
  changePermissions,
  creationPermissions,
  optionPermissions,
  requestPermissions,
} from "../../src/session/driver-limits.ts";
import { policiesFromStrict } from "../../src/policy-order.ts";
import { type caller, openWhole, pairAs, settle, type Whole } from "@signalbox/testing/whole-hub";

setDefaultTimeout(180_000);

type Call = ReturnType<typeof caller>;

let whole: Whole;
/** The one that the command line has is the one that an agent of the same user can read. */
let callers: Record<"viewer" | "driver" | "command line" | "approver" | "admin", Call>;
/** Outside of the allowed folders. */
let outside: string;

beforeAll(async () => {
  whole = await openWhole();
  const { admin, driver } = await settle(whole);
  outside = join(whole.place, "outside");
  mkdirSync(outside);
  const allowed = { folders: [whole.folder] };
  expect((await admin("PUT", "/api/allowed-folders", allowed)).status).toBe(204);
  callers = {
    viewer: await pairAs(whole.hub, admin, "viewer"),
    driver: await pairAs(whole.hub, admin, "driver"),
    "command line": driver,
    approver: await pairAs(whole.hub, admin, "approver"),
    admin,
  };
});
afterAll(() => whole[Symbol.asyncDispose]());

const roles = ["viewer", "driver", "command line", "approver", "admin"] as const;
const weak = roles.slice(0, 3);
const drivers = roles.slice(1, 3);
const strong = roles.slice(3);

const path = (id: string) => `/api/sessions/${id}`;
async function make(by: Call, options: Partial<NewSession> = {}): Promise<SessionSummary> {
  const { status, body } = await by("POST", "/api/sessions", { folder: whole.folder, ...options });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body;
}

test("[CG12] to run the hooks of a repository takes an approver, who has seen what they are now", async () => {
  const { id } = await make(callers.admin);
  const commit = (by: Call, hooks: string) =>
    by("POST", `${path(id)}/repository/commit`, { message: "All", hooks });
  for (const who of drivers) {
    const { status, body } = await commit(callers[who], "0".repeat(64));
    expect([who, status, body]).toMatchObject([who, 403, { code: "approver-needed" }]);
    expect((await commit(callers[who], "skip")).body).toMatchObject({ code: "no-repository" });
  }
  for (const who of strong) {
    const { body } = await commit(callers[who], "0".repeat(64));
    expect([who, body]).toMatchObject([who, { code: "no-repository" }]);
  }
});

describe("[HH60] what takes an approver", () => {
  test("[HH60] stands in one table, and the page of rules has the same", () => {
    const page = readFileSync(join(import.meta.dir, "../../../../docs/spec/http.md"), "utf8");
    const rows = [
      ...page.matchAll(
        /^\| (new session|change|change of options|control request) \| `(\w+)` \| (\w+) /gm,
      ),
    ];
    const written = rows.map(([, what, name, permission]) => `${what} ${name}: ${permission}`);
    const tables = {
      "new session": Object.entries(creationPermissions),
      change: Object.entries(changePermissions),
      "change of options": Object.entries(optionPermissions),
      "control request": [...requestPermissions],
    };
    const meant = Object.entries(tables).flatMap(([what, entries]) =>
      entries.map(([name, permission]) => `${what} ${name}: ${permission}`),
    );
    expect(written.toSorted()).toEqual(meant.toSorted());
  });
});

describe("a new session", () => {
  const loose: [what: string, options: () => Partial<NewSession>][] = [
    ["policy accept-edits", () => ({ policy: "accept-edits" })],
    ["policy autonomous", () => ({ policy: "autonomous", confirmed: true })],
    ["mode acceptEdits", () => ({ mode: "acceptEdits" })],
    ["MCP servers", () => ({ mcpServers: { x: { command: "true" } } })],
    ["an environment", () => ({ environment: "test" })],
    ["isolation off", () => ({ isolation: "off" })],
  ];
  test.each(loose)("[HH61] [HH18] with %s takes an approver", async (_, options) => {
    for (const role of weak) {
      const body = { folder: whole.folder, ...options() };
      const { status, body: problem } = await callers[role]("POST", "/api/sessions", body);
      expect([role, status]).toEqual([role, 403]);
      if (role !== "viewer") expect(problem).toMatchObject({ code: "approver-needed" });
    }
    for (const role of strong) await make(callers[role], options());
  });

  test("[HH61] may have of a driver what a driver may choose", async () => {
    for (const role of drivers) {
      for (const policy of ["supervised", "plan", "default"] as const) {
        expect(await make(callers[role], { policy, mode: "plan" })).toMatchObject({ policy });
      }
    }
  });

  test("[HH61] with a mode in which nobody is asked is refused to everybody", async () => {
    for (const role of roles.slice(1)) {
      const body = { folder: whole.folder, mode: "bypassPermissions" };
      const { status, body: problem } = await callers[role]("POST", "/api/sessions", body);
      expect([role, status, problem]).toEqual([
        role,
        422,
        expect.objectContaining({ code: "askless-mode" }),
      ]);
    }
  });
});

describe("the options of a session", () => {
  const loose: [what: string, change: () => SessionOptionsChange][] = [
    ["MCP servers", () => ({ mcpServers: { x: { command: "true" } } })],
    ["no MCP servers", () => ({ mcpServers: null })],
    ["an environment", () => ({ environment: "test" })],
    ["variables", () => ({ variables: { KEY: "value" } })],
    ["isolation off", () => ({ isolation: "off" })],
    ["mode acceptEdits", () => ({ mode: "acceptEdits" })],
    ["a folder outside of the allowed ones", () => ({ addDirs: [outside] })],
  ];
  test.each(loose)("[HH61] are changed to %s by an approver alone", async (_, change) => {
    const { id } = await make(callers.admin);
    const before = whole.hub.engine.sessions.getOptions(id);
    for (const role of weak) {
      const { status } = await callers[role]("PATCH", `${path(id)}/options`, change());
      expect([role, status]).toEqual([role, 403]);
    }
    expect(whole.hub.engine.sessions.getOptions(id)).toEqual(before);
    for (const role of strong) {
      const { status, body } = await callers[role]("PATCH", `${path(id)}/options`, change());
      expect([role, status, body]).toEqual([role, 200, expect.objectContaining({ id })]);
    }
  });

  test("[HH61] are changed by a driver to the same or stricter ones", async () => {
    for (const role of drivers) {
      const { id } = await make(callers.admin, { mode: "plan", isolation: "no-network" });
      const change = async (options: SessionOptionsChange) =>
        (await callers[role]("PATCH", `${path(id)}/options`, options)).status;
      const allowed = { model: "opus", maxTurns: 3, addDirs: [whole.folder], mode: "plan" };
      expect([role, await change(allowed)]).toEqual([role, 200]);
      expect([role, await change({ isolation: "write-here-only" })]).toEqual([role, 403]);
      expect([role, await change({ isolation: null })]).toEqual([role, 403]);
      expect([role, await change({ mode: null })]).toEqual([role, 403]);
      expect(whole.hub.engine.sessions.getOptions(id)).toMatchObject({
        model: "opus",
        maxTurns: 3,
        mode: "plan",
        isolation: "no-network",
      });
    }
  });
});

describe("a policy", () => {
  const pairs = policiesFromStrict.flatMap((from) =>
    policiesFromStrict.map((to) => [from, to] as [PolicyName, PolicyName]),
  );
  test.each(pairs)("[HB84] %s → %s", async (from, to) => {
    const isLooser = policiesFromStrict.indexOf(to) > policiesFromStrict.indexOf(from);
    for (const role of roles) {
      const { id } = await make(callers.admin, { policy: from, confirmed: true });
      const change = { policy: to, confirmed: true };
      const { status } = await callers[role]("PATCH", path(id), change);
      const may = role === "viewer" ? false : strong.some((each) => each === role) || !isLooser;
      expect([role, status]).toEqual([role, may ? 200 : 403]);
      expect(whole.hub.engine.sessions.get(id).policy).toBe(may ? to : from);
    }
  });

  test("[HB84] a refused loosening changes nothing else either", async () => {
    const { id } = await make(callers.admin, { policy: "supervised" });
    const change = { policy: "default", driver: "sdk", title: "new" };
    const { status, body } = await callers.driver("PATCH", path(id), change);
    expect([status, body]).toEqual([403, expect.objectContaining({ code: "approver-needed" })]);
    expect(body).toMatchObject({ detail: expect.stringContaining("from supervised to default") });
    expect(whole.hub.engine.sessions.get(id)).toMatchObject({ driver: "stdio", named: false });
  });
});

describe("a running agent", () => {
  test("[HH61] a driver may switch it to a stricter mode alone, and send what the table names", async () => {
    const { engine } = whole.hub;
    const prompt = { text: "::say hello" };
    const { id } = await make(callers.approver, { prompt });
    await until(() => engine.sessions.get(id).summary.turns === 1);
    const control = (by: Call, subtype: string, fields: object = {}) =>
      by("POST", `${path(id)}/control`, { subtype, fields });
    const mode = (by: Call, wanted: string) =>
      control(by, "set_permission_mode", { mode: wanted }).then(({ status }) => status);
    const seen = (wanted: string) => until(() => engine.sessions.get(id).summary.mode === wanted);

    for (const role of drivers) expect(await mode(callers[role], "acceptEdits")).toBe(403);
    expect(await mode(callers.approver, "acceptEdits")).toBe(200);
    await seen("acceptEdits");
    expect(await mode(callers.driver, "default")).toBe(200);
    await seen("default");
    expect(await mode(callers["command line"], "plan")).toBe(200);
    await seen("plan");
    for (const role of drivers) expect(await mode(callers[role], "default")).toBe(403);
    // A stricter policy does not let the agent out of a stricter mode either.
    expect((await callers.approver("PATCH", path(id), { policy: "accept-edits" })).status).toBe(
      200,
    );
    await seen("acceptEdits");
    expect(await mode(callers.approver, "plan")).toBe(200);
    await seen("plan");
    const patched = await callers.driver("PATCH", path(id), { policy: "default" });
    expect(patched.status).toBe(403);

    const fields = { set_model: { model: "opus" }, set_effort: { effort: "low" } };
    for (const [subtype, permission] of requestPermissions) {
      if (permission !== "approver") continue;
      for (const role of drivers) {
        expect([subtype, (await control(callers[role], subtype)).status]).toEqual([subtype, 403]);
      }
      const { status } = await control(callers.approver, subtype, { serverName: "none" });
      expect([subtype, status === 403]).toEqual([subtype, false]);
    }
    for (const [subtype, more] of Object.entries(fields)) {
      expect((await control(callers.driver, subtype, more)).status).toBe(200);
    }
    for (const subtype of ["get_context_usage", "mcp_status"]) {
      expect((await control(callers.driver, subtype)).status).toBe(200);
    }
    for (const subtype of ["mcp_set_servers", "apply_flag_settings", "initialize"]) {
      expect((await control(callers.driver, subtype)).status).toBe(422);
    }
    await callers.admin("POST", `${path(id)}/stop`);
  });

  test("[HB87] a driver's fork has no policy and no mode that a driver could not choose", async () => {
    const prompt = { text: "::say hello" };
    const options = { policy: "accept-edits", mode: "acceptEdits", prompt } as const;
    const { id } = await make(callers.approver, options);
    await until(() => whole.hub.engine.sessions.get(id).summary.turns === 1);
    const fork = async (by: Call) => {
      const command = randomUUID();
      expect((await by("POST", `${path(id)}/fork`, {}, command)).status).toBe(201);
      return whole.hub.engine.sessions.get(command);
    };
    const theirs = await fork(callers.driver);
    expect(theirs.policy).toBe("default");
    expect(theirs.options.mode).toBeUndefined();
    const own = await fork(callers.approver);
    expect([own.policy, own.options.mode]).toEqual(["accept-edits", "acceptEdits"]);
    for (const each of [id, theirs.id, own.id]) await callers.admin("POST", `${path(each)}/stop`);
  });
});

describe("folders", () => {
  const start = (by: Call, folder: string, more: Partial<NewSession> = {}) =>
    by("POST", "/api/sessions", { folder, ...more });

  test("[HB85] a driver starts sessions below the allowed folders alone, and is told which they are and what to do", async () => {
    const sibling = `${whole.folder}-secrets`;
    const link = join(whole.folder, "way-out");
    const inside = join(whole.folder, "inside");
    for (const folder of [sibling, inside]) mkdirSync(folder, { recursive: true });
    symlinkSync(outside, link);
    const wrong = [outside, whole.place, "/", sibling, link, `${inside}/../../outside`];
    for (const role of drivers) {
      for (const folder of wrong) {
        const { status, body } = await start(callers[role], folder);
        expect([folder, status]).toEqual([folder, 403]);
        const { code, detail } = body as { code: string; detail: string };
        expect(code).toBe("folder-not-allowed");
        expect(detail).toContain(`are ${whole.folder}`);
        expect(detail).toContain("Start the first session there on an approver's device");
      }
      const extra = { addDirs: [outside] };
      expect((await start(callers[role], whole.folder, extra)).status).toBe(403);
      expect((await start(callers[role], inside, { addDirs: [whole.folder] })).status).toBe(201);
    }
    expect((await start(callers.viewer, whole.folder)).status).toBe(403);
  });

  test("[HB85] where an approver has started a session a driver may, too, until it is deleted", async () => {
    const { id } = await make(callers.approver, { folder: outside });
    expect((await start(callers.driver, outside)).status).toBe(201);
    expect((await callers.approver("DELETE", path(id))).status).toBe(204);
    expect((await start(callers.driver, outside)).status).toBe(403);
  });

  test("[HH62] are set by an admin; a driver may read them", async () => {
    const set = (by: Call, folders: string[] | null) =>
      by("PUT", "/api/allowed-folders", { folders }).then(({ status }) => status);
    for (const role of [...weak, "approver"] as const) {
      expect([role, await set(callers[role], ["/"])]).toEqual([role, 403]);
    }
    const listed = async () =>
      (await callers.driver("GET", "/api/allowed-folders")).body as AllowedFoldersView[];
    expect(await listed()).toMatchObject([{ folders: [whole.folder], isDefault: false }]);
    expect(await set(callers.admin, null)).toBe(204);
    expect(await listed()).toMatchObject([
      { folders: [join(whole.place, "home")], isDefault: true },
    ]);
    expect(await set(callers.admin, [join(whole.place, "nowhere")])).toBe(422);
    expect(await set(callers.admin, [whole.folder])).toBe(204);
    const audit = (await callers.admin("GET", "/api/audit")).body as {
      entries: { what: string }[];
    };
    expect(audit.entries.map(({ what }) => what)).toContain("allowed-folders-set");
  });

  test("[HH62] outside are not shown to a driver, and are to an approver", async () => {
    const look = (by: Call, folder?: string) =>
      by("GET", `/api/folders${folder === undefined ? "" : `?path=${encodeURIComponent(folder)}`}`);
    mkdirSync(join(whole.folder, "seen"), { recursive: true });
    const hidden = join(whole.folder, "hidden");
    symlinkSync("/", hidden);
    const first = await look(callers.driver);
    expect(first.body).toMatchObject({ path: whole.folder, parent: null });
    const names = (first.body as { folders: { name: string }[] }).folders.map(({ name }) => name);
    expect(names).toContain("seen");
    expect(names).not.toContain("hidden");
    for (const folder of ["/", whole.place, hidden, `${whole.folder}/../outside`, "/nowhere"]) {
      const { status, body } = await look(callers["command line"], folder);
      expect([folder, status]).toEqual([folder, 403]);
      expect(body).toMatchObject({ code: "folder-not-allowed" });
    }
    const find = (by: Call, folder: string) =>
      by("GET", `/api/folders/files?path=${encodeURIComponent(folder)}&query=marked`);
    writeFileSync(join(whole.folder, "seen", "marked.txt"), "");
    expect((await find(callers.driver, whole.folder)).body as string[]).toEqual([
      "seen/marked.txt",
    ]);
    for (const folder of ["/", hidden, `${whole.folder}/../outside`]) {
      expect([folder, (await find(callers.driver, folder)).status]).toEqual([folder, 403]);
    }
    expect((await find(callers.viewer, whole.folder)).status).toBe(403);
    expect((await look(callers.viewer, whole.folder)).status).toBe(403);
    expect((await look(callers.approver, "/")).status).toBe(200);
  });

  test("[HB86] the runner looks at the real folder at each start, whatever it was when the session was made", async () => {
    const { engine } = whole.hub;
    const folder = join(whole.folder, "swapped");
    const kept = join(whole.folder, "kept");
    mkdirSync(folder);
    const prompt = { text: "::say hello" };
    const { id } = await make(callers.driver, { folder, prompt });
    await until(() => engine.sessions.get(id).summary.turns === 1);
    await callers.driver("POST", `${path(id)}/stop`);
    renameSync(folder, kept);
    symlinkSync(outside, folder);
    await callers.driver("POST", `${path(id)}/wake`);
    await until(() => engine.sessions.get(id).state === "crashed");
    expect(engine.sessions.get(id).problem).toContain(
      `The folder ${folder} is not below an allowed folder`,
    );
    expect((await callers.driver("GET", `${path(id)}/files?query=`)).status).toBe(403);
    rmSync(folder);
    renameSync(kept, folder);
    await callers.driver("POST", `${path(id)}/retry`, {});
    await until(() => engine.sessions.get(id).summary.turns === 2);
    await callers.driver("POST", `${path(id)}/stop`);
  });

  test("[HB86] a link that takes the place of an allowed folder widens nothing", async () => {
    const folder = join(whole.folder, "approved");
    mkdirSync(folder);
    const { id } = await make(callers.approver, { folder });
    const others = { folders: [join(whole.place, "home")] };
    await callers.admin("PUT", "/api/allowed-folders", others);
    expect((await start(callers.driver, folder)).status).toBe(201);
    rmdirSync(folder);
    symlinkSync(outside, folder);
    expect((await start(callers.driver, folder)).status).toBe(403);
    expect((await start(callers.driver, outside)).status).toBe(403);
    rmSync(folder);
    await callers.admin("PUT", "/api/allowed-folders", { folders: [whole.folder] });
    await callers.admin("DELETE", path(id));
  });

  test("[HB86] a driver's worktree stands beside a repository that is an allowed folder, and nowhere else", async () => {
    const repository = join(whole.place, "shop");
    mkdirSync(join(repository, "part"), { recursive: true });
    const env = { PATH: process.env["PATH"] ?? "", HOME: whole.place };
    const git = (...args: string[]) => {
      const { exitCode, stderr } = Bun.spawnSync(["git", "-C", repository, ...args], { env });
      expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    };
    git("init", "-q", "-b", "main");
    git("config", "user.email", "a@example.org");
    git("config", "user.name", "A");
    writeFileSync(join(repository, "part/a.txt"), "a");
    git("add", ".");
    git("commit", "-qm", "one");
    const allow = (folder: string) =>
      callers.admin("PUT", "/api/allowed-folders", { folders: [folder] });
    await allow(repository);
    const { folder } = await make(callers.driver, { folder: repository, worktree: "fix" });
    expect(folder).toBe(`${repository}.worktrees/fix`);
    // A part of the repository is allowed: a worktree would bring all of it.
    await allow(join(repository, "part"));
    const { status } = await start(callers.driver, join(repository, "part"), { worktree: "more" });
    expect(status).toBe(403);
    expect(existsSync(`${repository}.worktrees/more`)).toBe(false);
    await allow(whole.folder);
  });
});
