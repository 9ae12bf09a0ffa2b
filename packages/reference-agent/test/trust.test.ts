import { afterEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SettingsFile } from "../src/settings.ts";
import { withoutUntrusted } from "../src/untrusted-settings.ts";
import { openToolStage } from "./tool-stage.ts";

const places: string[] = [];
afterEach(() => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
});

function openPlace() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-trust-")));
  places.push(place);
  const folder = join(place, "work");
  mkdirSync(join(folder, ".claude"), { recursive: true });
  const permissions = { allow: ["Write", "Bash"], deny: ["Read"], additionalDirectories: ["/"] };
  const file = (source: SettingsFile["source"], name: string, more = {}): SettingsFile => {
    const path = join(folder, ".claude", name);
    writeFileSync(path, "{}");
    return { source, path, root: folder, content: { permissions: { ...permissions, ...more } } };
  };
  const project = file("projectSettings", "settings.json");
  const local = file("localSettings", "settings.local.json");
  return {
    place,
    folder,
    permissions,
    project,
    local,
    file,
    trust: (root: string, state = ".claude.json") => {
      const projects = { [root]: { hasTrustDialogAccepted: true } };
      mkdirSync(join(place, ".claude"), { recursive: true });
      writeFileSync(join(place, state), JSON.stringify({ projects }));
    },
    read: (files: SettingsFile[], environment: Record<string, string> = {}) => {
      const reported: string[] = [];
      const report = (sentence: string) => void reported.push(sentence);
      const context = { folder, environment: { HOME: place, ...environment }, report };
      const read = withoutUntrusted(files, context).map(({ content }) => content["permissions"]);
      return { read, reported };
    },
  };
}

describe("an untrusted folder", () => {
  test("[RA70] its settings allow nothing and add no folders; what they deny applies", () => {
    const { project, local, permissions, folder, place, read } = openPlace();
    const seen = read([project, local]);
    expect(seen.read).toEqual([
      { allow: [], deny: ["Read"], additionalDirectories: [] },
      permissions,
    ]);
    const how = `from .claude/settings.json: this workspace has not been trusted. Run Claude Code interactively here once and accept the trust dialog, or set projects["${folder}"].hasTrustDialogAccepted: true in ${place}/.claude.json.`;
    expect(seen.reported).toEqual([
      `Ignoring 2 permissions.allow entries ${how}`,
      `Ignoring 1 permissions.additionalDirectories entry ${how}`,
    ]);
  });

  test("[RA70] local settings that came with the repository count as its own", () => {
    const { project, local, folder, permissions, read } = openPlace();
    spawnSync("git", ["init", "-q", folder]);
    expect(read([local]).read).toEqual([permissions]);
    spawnSync("git", ["-C", folder, "add", "-Af"]);
    const seen = read([project, local]);
    expect(seen.read).toMatchObject([{ allow: [] }, { allow: [] }]);
    expect(seen.reported[0]).toStartWith(
      "Ignoring 4 permissions.allow entries from .claude/settings.json and .claude/settings.local.json: ",
    );
  });

  test("[RA70] trust is given to one folder, or to the repository that contains it", () => {
    const { project, permissions, folder, place, trust, read } = openPlace();
    const isTrusted = (environment = {}) =>
      Bun.deepEquals(read([project], environment).read, [permissions]);
    trust(place);
    expect(isTrusted()).toBe(false);
    spawnSync("git", ["init", "-q", place]);
    expect(isTrusted()).toBe(true);
    trust(folder);
    expect(isTrusted()).toBe(false);
    rmSync(join(place, ".git"), { recursive: true });
    expect(isTrusted()).toBe(true);
    expect(isTrusted({ CLAUDE_CONFIG_DIR: join(place, "elsewhere") })).toBe(false);
    writeFileSync(join(place, ".claude.json"), "{}");
    trust(folder, ".claude/.config.json");
    expect(isTrusted()).toBe(true);
  });

  test("[RA70] a folder cannot choose a mode without questions, trusted or not", () => {
    const { file, folder, trust, read } = openPlace();
    trust(folder);
    const getMode = (source: SettingsFile["source"], defaultMode: string) =>
      read([file(source, "other.json", { defaultMode })]).read;
    for (const source of ["projectSettings", "localSettings"] as const) {
      expect(getMode(source, "bypassPermissions")).toMatchObject([{ defaultMode: "default" }]);
      expect(getMode(source, "acceptEdits")).toMatchObject([{ defaultMode: "acceptEdits" }]);
    }
    expect(getMode("userSettings", "bypassPermissions")).toMatchObject([
      { defaultMode: "bypassPermissions" },
    ]);
  });

  test("[RA70] a tool that it allows itself does not run", async () => {
    const permissions = { allow: ["Write"], defaultMode: "bypassPermissions" };
    using stage = openToolStage({
      files: { ".claude/settings.json": JSON.stringify({ permissions }) },
    });
    const { isError } = await stage.call("Write", { file_path: stage.at("a"), content: "x" });
    expect(isError).toBe(true);
    expect(stage.reported.join()).toContain("Ignoring 1 permissions.allow entry");
  });
});
