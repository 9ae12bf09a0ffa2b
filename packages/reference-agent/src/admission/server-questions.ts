import { errorMessage } from "@signalbox/protocol/text";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { isObject } from "@signalbox/protocol/wire";
import { toSingleLine, type StartDialog } from "@signalbox/agent/command-line";
import { isApproved, projectServers } from "../mcp/config.ts";
import { replaceFile } from "../files/replace-file.ts";
import { type FolderFile, readFolderFiles, localPath, type StartContext } from "./folder-files.ts";

/**
 * Asks about each server of `.mcp.json` that was not decided about yet. Resolves to false if the
 * person leaves.
 */
export async function askForServers(
  place: StartContext,
  files: readonly FolderFile[],
  dialog: StartDialog,
): Promise<boolean> {
  for (const [name, given] of projectServers(place)) {
    if (isApproved(name, files) !== undefined) continue;
    const text = `\n▲ .mcp.json, here or in a folder above, names the MCP server ${toSingleLine(name)}:\n    ${getStart(given)}`;
    dialog.write(text);
    const isWanted = await dialog.confirm("Start it, now and from now on?");
    if (isWanted === undefined) return false;
    await keepChoice(place, name, isWanted).catch((failure: unknown) => {
      const why = errorMessage(failure);
      dialog.write(`It is not started: that could not be written down (${why}).`);
    });
  }
  return true;
}

/** Returns the server's command or its address. */
function getStart(given: unknown): string {
  if (!isObject(given)) return "";
  const { command, args, url } = given;
  const words = [command ?? url, ...(Array.isArray(args) ? args : [])];
  return toSingleLine(words.map(String).join(" "));
}

/** Stores the choice in the person's own settings of this folder, where Claude Code stores it. */
async function keepChoice(place: StartContext, name: string, isWanted: boolean): Promise<void> {
  const path = localPath(place.folder);
  const local = readFolderFiles(place).find(({ source }) => source === "localSettings");
  const content = local?.content ?? {};
  const list = isWanted ? "enabledMcpjsonServers" : "disabledMcpjsonServers";
  const before: unknown[] = Array.isArray(content[list]) ? content[list] : [];
  const next = { ...content, [list]: [...before, name] };
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, Buffer.from(`${JSON.stringify(next, null, 2)}\n`));
}
