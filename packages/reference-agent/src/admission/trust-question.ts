import { errorMessage } from "@signalbox/protocol/text";
import { toSingleLine, type StartDialog } from "@signalbox/agent/command-line";
import { projectServers } from "../mcp/config.ts";
import { getHome } from "../session.ts";
import { rememberTrust, getTrust } from "../trust.ts";
import { type SettingsEffect, listSettingsEffects } from "./settings-effects.ts";
import type { FolderFile, StartContext } from "./folder-files.ts";

/** Asks whether the person trusts the folder. A yes is stored. */
export async function askForTrust(
  place: StartContext,
  files: readonly FolderFile[],
  dialog: StartDialog,
): Promise<boolean> {
  dialog.write(trustText(place, files));
  if ((await dialog.confirm("Do you trust this folder?")) !== true) {
    dialog.write("Nothing was started.");
    return false;
  }
  await rememberTrust(place).catch((failure: unknown) => {
    const why = errorMessage(failure);
    dialog.write(`It holds for this time only: it could not be written down (${why}).`);
  });
  return true;
}

const MAX_NAMES = 8;

function trustText(place: StartContext, files: readonly FolderFile[]): string {
  const foreign = files.filter(({ isForeign }) => isForeign);
  const brought = listSettingsEffects(foreign.map(({ content }) => content));
  const servers = projectServers(place).map(([name]) => name);
  return [
    "\nNobody has said yet that this folder can be trusted:\n",
    `  ${toSingleLine(place.folder)}\n`,
    "An agent here reads and changes its files, and runs what is in it. If it is not your own work, or that of people you trust, look through it first.\n",
    ...(brought.length > 0
      ? [
          "▲ Its settings come into force with a yes, without being asked about again. This folder",
          ...brought.map(lines),
          "",
        ]
      : []),
    ...(servers.length > 0
      ? [`▲ Its .mcp.json names MCP servers, which you are asked about next:\n${list(servers)}\n`]
      : []),
    scopeText(place),
  ].join("\n");
}

/** Describes what a yes applies to. */
function scopeText(place: StartContext): string {
  if (place.folder === getHome(place.environment)) {
    return "This is your home folder: a yes holds for this time only. A no leaves.";
  }
  const { root } = getTrust(place);
  const whole =
    root === place.folder ? "" : ` It is about the whole repository ${toSingleLine(root)}.`;
  return `A yes is remembered, for Claude Code as well.${whole} A no leaves.`;
}

function lines({ what, names }: SettingsEffect): string {
  return `  ${what}:\n${list(names)}`;
}

function list(names: readonly string[]): string {
  const first = names.slice(0, MAX_NAMES).map((name) => `    ${toSingleLine(name)}`);
  const more = names.length - first.length;
  return [...first, ...(more > 0 ? [`    and ${more} more`] : [])].join("\n");
}
