import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  findAgentProblem,
  fromAgentDraft,
  newAgentDraft,
  toAgentDraft,
} from "../../src/settings/agent-form.ts";
import { limitOptions, NO_LIMIT, parseLimit } from "../../src/settings/ask-limit.ts";
import { entryDetail, entryTitle, filterEntries } from "../../src/settings/audit-entries.ts";
import { bundledLibraries } from "../../src/settings/licenses.ts";
import {
  findProfileProblem,
  fromProfileDraft,
  newVariable,
  toProfileDraft,
} from "../../src/settings/profile-form.ts";
import { listGrantableRoles, mayRevoke } from "../../src/settings/roles.ts";
import { parseSection, searchSettings } from "../../src/settings/sections.ts";
import { findTurnEnd, isNotified } from "../../src/app/tab-status.ts";
import { limitPermission } from "../../src/session-info/permissions.ts";
import { formatCountdown } from "../../src/text/format.ts";

describe("the search over all settings", () => {
  const found = (query: string) =>
    searchSettings(query).map(({ section, label }) => `${section}: ${label}`);

  test("finds sections by name and settings by name and by other words", () => {
    expect(found("relay")[0]).toBe("relay: Relay");
    expect(found("dark")).toEqual(["general: Theme"]);
    expect(found("CLAUDE_CONFIG_DIR")).toEqual([
      "accounts: Add Claude account",
      "import: Further configuration folders",
    ]);
    expect(found("timeout")).toEqual(["permissions: Time limit"]);
  });

  test("takes every word, and words of the section as well", () => {
    expect(found("permissions limit")).toEqual(["permissions: Time limit"]);
    expect(found("no such thing")).toEqual([]);
    expect(found("  ")).toEqual([]);
  });

  test("only sections that exist have a path", () => {
    expect(parseSection("trust")).toBe("trust");
    expect(parseSection("nothing")).toBeUndefined();
    expect(parseSection(undefined)).toBeUndefined();
  });
});

describe("an agent that is edited", () => {
  test("comes out as it went in", () => {
    const agent = {
      name: "pinned",
      npm: "@anthropic-ai/claude-code@2.1.118",
      driver: "sdk",
      model: "opus",
      models: ["a", "b"],
      flags: ["--verbose", "--add-dir /x, y"],
      environment: "work",
    };
    expect(fromAgentDraft(toAgentDraft(agent))).toEqual(agent);
    const found = { name: "plain", driver: "stdio", models: [], flags: [] };
    expect(fromAgentDraft(toAgentDraft(found))).toEqual(found);
  });

  test("names one program, whatever was typed for the others", () => {
    const draft = { ...newAgentDraft, name: " mine ", path: "/opt/a", npm: "x@1.0.0" };
    expect(fromAgentDraft({ ...draft, source: "path" })).toMatchObject({
      name: "mine",
      path: "/opt/a",
    });
    expect(fromAgentDraft({ ...draft, source: "path" })).not.toHaveProperty("npm");
    expect(fromAgentDraft({ ...draft, source: "found" })).not.toHaveProperty("path");
  });

  test("needs a name of its own", () => {
    expect(findAgentProblem(newAgentDraft, [])).toBe("Enter a name for the agent.");
    expect(findAgentProblem({ ...newAgentDraft, name: "a" }, ["a"])).toContain("already");
    expect(findAgentProblem({ ...newAgentDraft, name: "b" }, ["a"])).toBeUndefined();
  });
});

describe("a profile that is edited", () => {
  const stored = { KEY: null, PLACE: { value: "/home/me/work" } };

  test("keeps stored secrets unless a value is entered", () => {
    const draft = toProfileDraft("work", stored);
    expect(fromProfileDraft(draft)).toEqual(stored);
    const replaced = draft.variables.map((each) =>
      each.name === "KEY" ? { ...each, value: "new" } : each,
    );
    expect(fromProfileDraft({ ...draft, variables: replaced })).toEqual({ ...stored, KEY: "new" });
  });

  test("says what is wrong with it", () => {
    const problem = (name: string, ...variables: ReturnType<typeof newVariable>[]) =>
      findProfileProblem({ name, variables }, ["taken"]);
    expect(problem(" ")).toBe("Enter a name for the profile.");
    expect(problem("taken")).toContain("already");
    expect(problem("a", newVariable("1x"))).toContain("not a valid variable name");
    expect(problem("a", newVariable("X"), newVariable("X"))).toBe("The variable X is set twice.");
    expect(problem("a", newVariable("X", true))).toBe("Enter a value for X.");
    expect(problem("a", newVariable("X"))).toBeUndefined(); // an empty value that everybody may see
  });
});

test("a time limit that was set elsewhere can be seen and kept", () => {
  expect(limitOptions(7).map(({ label }) => label)).toContain("7 minutes");
  expect(limitOptions(60).filter(({ value }) => value === "60")).toHaveLength(1);
  expect(parseLimit(NO_LIMIT)).toBeUndefined();
  expect(parseLimit("90")).toBe(90);
});

test("a device offers its own role at most", () => {
  expect(listGrantableRoles("driver")).toEqual(["viewer", "driver"]);
  expect(listGrantableRoles("admin")).toHaveLength(4);
  expect(mayRevoke("driver", "approver")).toBe(false);
  expect(mayRevoke("driver", "runner")).toBe(false);
  expect(mayRevoke("approver", "runner")).toBe(true);
});

test("time that is left is shown as a clock shows it", () => {
  const shown = [299_000, 299_001, 1000, 0, -5, 3_723_000].map(formatCountdown);
  expect(shown).toEqual(["4:59", "5:00", "0:01", "0:00", "0:00", "1:02:03"]);
});

describe("entries of the audit log", () => {
  const entry = {
    nth: 3,
    at: 0,
    what: "session-created",
    by: "desk",
    session: "s-1",
    facts: {
      folder: "/work",
      policy: "default",
      byDevice: "d-1",
      run: "47b1d759-f6a6-4423-a55f-2dceb91fc09d",
    },
    hash: "0",
  };
  const answered = { ...entry, nth: 4, what: "answered", facts: { tool: "Bash", input: "ls -l" } };

  test("are named and described in words", () => {
    expect(entryTitle(entry)).toBe("Session created");
    expect(entryDetail(entry)).toBe("folder: /work · policy: default");
    expect(entryDetail(answered)).toBe("Bash: ls -l");
  });

  test("are filtered by action, device, session and facts", () => {
    const titles = new Map([["s-1", "Fix the reader"]]);
    const numbers = (filter: string) =>
      filterEntries([answered, entry], filter, new Map(), titles).map(({ nth }) => nth);
    expect(numbers("")).toEqual([4, 3]);
    expect(numbers("bash")).toEqual([4]);
    expect(numbers("session created")).toEqual([3]);
    expect(numbers("desk reader")).toEqual([4, 3]);
    expect(numbers("somebody else")).toEqual([]);
  });
});

test("a driver's default permission is never looser than asking first", () => {
  expect(limitPermission("accept-edits", false)).toBe("default");
  expect(limitPermission("accept-edits", true)).toBe("accept-edits");
  expect(limitPermission("plan", false)).toBe("plan");
});

describe("notifications", () => {
  test("a session has finished or failed if it worked before", () => {
    expect(findTurnEnd("working", "idle")).toBe("finished");
    expect(findTurnEnd("working", "failed")).toBe("failed");
    expect(findTurnEnd("waiting", "failed")).toBe("failed");
    expect(findTurnEnd("working", "waiting")).toBeUndefined();
    expect(findTurnEnd("idle", "idle")).toBeUndefined();
    expect(findTurnEnd(undefined, "failed")).toBeUndefined();
  });

  test("are shown for what is chosen, and not for projects that are turned off", () => {
    const notifyAbout = { needsYou: true, finished: false, failed: true };
    const wanted = { notify: true, notifyAbout, mutedProjects: ["/quiet"] };
    expect(isNotified(wanted, "needsYou", "/work")).toBe(true);
    expect(isNotified(wanted, "finished", "/work")).toBe(false);
    expect(isNotified(wanted, "needsYou", "/quiet")).toBe(false);
    expect(isNotified({ ...wanted, notify: false }, "needsYou", "/work")).toBe(false);
    expect(isNotified(wanted, "needsYou", undefined)).toBe(true);
  });
});

/** Used to build and to test the page; not a part of it. */
const tools = new Set([
  "@tailwindcss/vite",
  "@types/react",
  "@types/react-dom",
  "@vitejs/plugin-react",
  "axe-core",
  "playwright-core",
  "rolldown",
  "tailwindcss",
  "vite",
]);

test("every library of the page is listed with the license that it has", () => {
  const root = join(import.meta.dir, "../..");
  const read = (path: string) =>
    JSON.parse(readFileSync(path, "utf8")) as {
      license?: string;
      devDependencies?: Record<string, string>;
    };
  const used = Object.keys(read(join(root, "package.json")).devDependencies ?? {}).filter(
    (name) => !name.startsWith("@signalbox/") && !tools.has(name),
  );
  expect(bundledLibraries.map(({ name }) => name)).toEqual(used);
  for (const { name, license } of bundledLibraries) {
    const places = [join(root, "node_modules", name), join(root, "../../node_modules", name)];
    const place = places.find((each) => existsSync(join(each, "package.json")));
    expect([name, read(join(place ?? "", "package.json")).license]).toEqual([name, license]);
  }
});
