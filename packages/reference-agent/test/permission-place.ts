import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PermissionMode } from "@signalbox/agent";
import { judgeCommand } from "../src/permission/bash.ts";
import { PermissionSettings } from "../src/permission/state.ts";

/** Creates permissions for a folder of its own, with a link that leads outside. */
export function stateIn(mode: PermissionMode = "default") {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-permission-")));
  const folder = join(place, "work");
  mkdirSync(join(folder, "sub"), { recursive: true });
  symlinkSync("/etc", join(folder, "etc"));
  const state = new PermissionSettings({ mode, folder, home: place, folders: [] });
  state.knowsShell = true;
  const say = (line: string) => judgeCommand(state, line, folder).behavior;
  return { state, folder, say, [Symbol.dispose]: () => rmSync(place, { recursive: true }) };
}
