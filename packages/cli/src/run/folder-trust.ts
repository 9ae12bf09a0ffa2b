import { escapeForTerminal } from "@signalbox/protocol/text";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Launch } from "@signalbox/host";
import { RunTrust, scanFolder, TrustStore } from "@signalbox/runner/trust";
import { resolveStateFolder } from "../hub/data-folder.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { createStyle } from "../terminal/style.ts";
import { formatFindings } from "./format-findings.ts";

/**
 * Asks on the terminal about the code that a folder brings, unless all of it was trusted permanently, or is a
 * rule that a person has allowed permanently. If nobody can be asked, the code stays off.
 */
export async function askFolderTrust(launch: Launch): Promise<RunTrust> {
  const note = (text: string) => process.stderr.write(`${text}\n`);
  const { folder, findings } = scanLaunchFolder(launch);
  const store = openStore();
  const isReadable = findings.every(({ kind }) => kind !== "unreadable");
  let trusted = store.getTrustedIds(folder);
  if (findings.some(({ id }) => !trusted.includes(id))) {
    const style = createStyle(process.stderr, process.env);
    note(`${escapeForTerminal(launch.folder)} brings code that would run:`);
    for (const line of formatFindings(findings, style, process.stderr)) note(line);
    const wanted = isReadable ? await askTrustChoice() : "no";
    if (wanted === "no") note("The code of the folder is off in this run.");
    else trusted = findings.map(({ id }) => id);
    if (wanted === "always") store.grant(folder, trusted);
  }
  return new RunTrust({
    getTrustedIds: () => trusted,
    onRemember: (where, ids) => store.remember(where, ids),
    onChange: (_, text) => note(text),
  });
}

/** Opens the store in the state folder, where isolated agents cannot write. */
function openStore(): TrustStore {
  const folder = resolveStateFolder();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new TrustStore(join(folder, "trusted-folders.json"));
  } catch {
    return new TrustStore(); // the home folder cannot be written: keep the decision in memory
  }
}

function scanLaunchFolder(
  launch: Launch,
): Pick<ReturnType<typeof scanFolder>, "findings"> & { folder: string } {
  try {
    const { addDirs } = launch;
    const folder = realpathSync(launch.folder);
    return { folder, findings: scanFolder(folder, addDirs ? { addDirs } : {}).findings };
  } catch {
    return { folder: launch.folder, findings: [] }; // the start of the agent reports that the folder is missing
  }
}

async function askTrustChoice(): Promise<"no" | "once" | "always"> {
  if (!Keyboard.isAvailable) return "no";
  const interrupted = new AbortController();
  const keyboard = new Keyboard(() => interrupted.abort());
  try {
    const question = "Allow it to run? (y: once, a: always, N: no) > ";
    const answer = (await keyboard.ask(question, interrupted.signal))?.trim().toLowerCase() ?? "";
    if (/^a(?:lways)?$/.test(answer)) return "always";
    return /^y(?:es)?$/.test(answer) ? "once" : "no";
  } finally {
    keyboard.close();
  }
}
