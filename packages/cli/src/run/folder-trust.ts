import { realpathSync } from "node:fs";
import { type Launch, RunTrust, scanFolder } from "@signalbox/runner";
import { Keyboard } from "../terminal/keyboard.ts";
import { styleFor } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";
import { showFindings } from "./show-findings.ts";

/**
 * Asks, on the terminal, about the code that a folder brings. The answer holds for this run; where nobody
 * can be asked, the code stays off.
 */
export async function askFolderTrust(launch: Launch): Promise<RunTrust> {
  const note = (text: string) => process.stderr.write(`${text}\n`);
  const { findings } = look(launch);
  const isReadable = findings.every(({ kind }) => kind !== "unreadable");
  let trusted: string[] = [];
  if (findings.length > 0) {
    const style = styleFor(process.stderr, process.env);
    note(`${visible(launch.folder)} brings code of its own:`);
    for (const line of showFindings(findings, style, process.stderr)) note(line);
    if (isReadable && (await isWanted())) trusted = findings.map(({ id }) => id);
    else note("It is off in this run.");
  }
  return new RunTrust({ trusted: () => trusted, onChange: (_, text) => note(text) });
}

function look(launch: Launch): Pick<ReturnType<typeof scanFolder>, "findings"> {
  try {
    const { addDirs } = launch;
    return scanFolder(realpathSync(launch.folder), addDirs ? { addDirs } : {});
  } catch {
    return { findings: [] }; // a folder that is not there is told of by the start
  }
}

async function isWanted(): Promise<boolean> {
  if (!Keyboard.isThere) return false;
  const over = new AbortController();
  const keyboard = new Keyboard(() => over.abort());
  try {
    const answer = await keyboard.ask("Let it run? (y/N) > ", over.signal);
    return /^y(?:es)?$/i.test(answer?.trim() ?? "");
  } finally {
    keyboard.close();
  }
}
