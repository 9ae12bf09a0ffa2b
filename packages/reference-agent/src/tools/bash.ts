import { clampTimerMs } from "@signalbox/agent";
import { open, readFile, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { isAsked } from "../permission/decide.ts";
import { isSilent } from "../permission/commands.ts";
import { judgeCommand, isReadOnlyLine } from "../permission/bash.ts";
import { isAllowed } from "../files/paths.ts";
import { readShell } from "../permission/shell-words.ts";
import { forgetFolderLines } from "../hooks/environment.ts";
import type { Session } from "../session.ts";
import {
  hasBackground,
  inBackground,
  createMovedOutput,
  moveToBackground,
  formatDuration,
  startTask,
} from "./bash-background.ts";
import { bashLimits, getTimeout } from "./bash-limits.ts";
import { shownPath } from "./file-tools.ts";
import { keepCopy, getPreview } from "../files/kept-output.ts";
import {
  type Call,
  count,
  flag,
  number,
  type Output,
  shape,
  string,
  text,
  type Tool,
  ToolFailure,
} from "../tool.ts";

const TOLD_AFTER_MS = 3000;
const BLOCKED_SLEEP = 25;
/** Characters that the person who is asked would not see. Tabs and line feeds are visible. */
const HIDDEN = /[^\P{Cc}\t\n]/u;
const NOTHING_PRINTED = "(Bash completed with no output)";

export const bash: Tool = {
  name: "Bash",
  description:
    "Runs a line of Bash in the working folder and gives back what it printed. The folder stays where cd leaves it, variables do not. What takes longer than timeout milliseconds (two minutes unless said otherwise, ten at most) goes on in the background; what never ends belongs there from the start. For files prefer Read, Write, Edit, Glob and Grep.",
  input: shape(
    { command: string("The line to run") },
    {
      timeout: number("Milliseconds after which the command is ended, at most 600000"),
      description: string("What the command does, in a few words, for the person who is asked"),
      run_in_background: flag("Start it and go on; its end is reported, its output is in a file"),
    },
  ),
  flaw(input) {
    if (!HIDDEN.test(text(input, "command"))) return undefined;
    const message =
      "command contains control characters that would be hidden in the approval dialog";
    return { path: ["command"], message };
  },
  /** Removes a `cd` to the current folder. */
  complete(input, { shellFolder }) {
    const command = text(input, "command");
    const lead = `cd ${shellFolder} && `;
    return command.startsWith(lead) ? { ...input, command: command.slice(lead.length) } : input;
  },
  async refuse(input, session) {
    if (input["run_in_background"] === true || !hasBackground(session)) return undefined;
    return refuseToSleep(text(input, "command"));
  },
  sideBySide: (input) => isReadOnlyLine(text(input, "command")),
  describe: (input) => text(input, "description") || text(input, "command"),
  /** A command that runs in the background without a question needs its file first. */
  beginsAtOnce: (input, session) =>
    input["run_in_background"] !== true ||
    isAsked(session.permission, "Bash", () =>
      judgeCommand(session.permission, text(input, "command"), session.shellFolder),
    ),
  doing: (input) => `Running ${text(input, "description") || text(input, "command")}`,
  judge: (input, { session }) =>
    judgeCommand(session.permission, text(input, "command"), session.shellFolder),
  render({ stdout, stderr, interrupted, isImage = false }) {
    if (typeof stdout !== "string" || typeof stderr !== "string") return undefined;
    if (typeof interrupted !== "boolean" || typeof isImage !== "boolean") return undefined;
    const end = interrupted ? "<error>Command was aborted before completion</error>" : "";
    const lines = [stdout, stderr.trim(), end].filter((line) => line !== "");
    return lines.length > 0 ? lines.join("\n") : NOTHING_PRINTED;
  },
  run: (input, call) =>
    input["run_in_background"] === true ? inBackground(input, call) : inForeground(input, call),
};

function quoted(path: string): string {
  // The path is inside of a single-quoted trap, so its own quotes have to be escaped.
  return `"${path.replace(/["$`\\]/g, "\\$&").replaceAll("'", `'"'"'`)}"`;
}

async function inForeground(input: JsonObject, call: Call): Promise<Output> {
  const { session } = call;
  const command = text(input, "command");
  const startedIn = session.shellFolder;
  const running = startTask(input, call, (outputPath) => {
    const follow = `trap 'pwd -P >| ${quoted(folderFile(outputPath))}' EXIT`;
    // With `eval`, line numbers in errors begin at the command's first line, and errors do not show
    // our own code.
    return `${follow}; eval -- '${command.replaceAll("'", `'\\''`)}'`;
  });
  const { task, command: shell } = running;
  const { id, outputPath } = task;
  const limits = bashLimits(session);
  const timeoutMs = getTimeout(count(input, "timeout"), limits);
  let sayEnd: ((status: "completed" | "failed") => void) | undefined;
  const tell = () => (sayEnd = session.tasks.sayForeground(task));
  const notifyTimer = setTimeout(tell, TOLD_AFTER_MS);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), clampTimerMs(timeoutMs));
  });
  call.interruption.addEventListener("abort", shell.kill, { once: true });
  if (call.interruption.aborted) shell.kill();
  let isMoved = false;
  try {
    const ended = await Promise.race([shell.ended, late]);
    if (ended === "late" && mayGoOn(session, command)) {
      isMoved = true;
      moveToBackground(session, running, sayEnd !== undefined);
      return createMovedOutput(task, (await readOutput(outputPath, limits.shown)).shown, timeoutMs);
    }
    if (ended === "late") shell.kill();
    const code = await shell.ended;
    // Otherwise its end would be reported to somebody who does not know that it started.
    clearTimeout(notifyTimer);
    sayEnd?.(code === 0 ? "completed" : "failed");
    const { shown, whole } = await readOutput(outputPath, limits.shown);
    const note = await followFolder(session, startedIn, folderFile(outputPath));
    if (ended === "late") {
      const lines = [
        `Exit code ${code}`,
        `Command timed out after ${formatDuration(Math.floor(timeoutMs / 1000) * 1000)}`,
        shown,
      ];
      throw new ToolFailure(lines.filter((line) => line !== "").join("\n"));
    }
    if (code !== 0 && !isNoFailure(command, code)) {
      throw new ToolFailure(
        [`Exit code ${code}`, shown, note].filter((line) => line !== "").join("\n"),
      );
    }
    return await createSuccessOutput(session, {
      id,
      command,
      shown,
      whole,
      note,
      outputPath,
      code,
    });
  } finally {
    clearTimeout(notifyTimer);
    clearTimeout(timer);
    call.interruption.removeEventListener("abort", shell.kill);
    if (!isMoved) await rm(outputPath, { force: true });
    void shell.ended.then(() => rm(folderFile(outputPath), { force: true }));
  }
}

/** The file to which a command writes its final folder. */
const folderFile = (outputPath: string): string => `${outputPath}.cwd`;

/**
 * Whether a command may continue in the background after its timeout. A command that only waits may
 * not.
 */
function mayGoOn(session: Session, command: string): boolean {
  return hasBackground(session) && readShell(command).commands[0]?.words[0] !== "sleep";
}

async function createSuccessOutput(
  session: Session,
  ran: {
    id: string;
    command: string;
    shown: string;
    whole: number;
    note: string;
    outputPath: string;
    code: number;
  },
): Promise<Output> {
  const { commands } = readShell(ran.command);
  const silent = commands.length > 0 && commands.every(({ words }) => isSilent(words));
  const meaning = getMeaning(ran.command, ran.code);
  const changed = await session.files.listChanged();
  const hint =
    changed.length === 0
      ? undefined
      : `[This command modified ${changed.length} file${changed.length > 1 ? "s" : ""} you've previously read: ${changed.map((path) => shownPath(path, session)).join(", ")}. Call Read before editing.]`;
  const structured = {
    stdout: ran.shown,
    stderr: ran.note === "" ? "" : `\n${ran.note}`,
    interrupted: false,
    isImage: false,
    ...(meaning === undefined ? {} : { returnCodeInterpretation: meaning }),
    noOutputExpected: silent,
    ...(hint === undefined ? {} : { staleReadFileStateHint: hint }),
  };
  if (ran.whole > bashLimits(session).shown) {
    const storedPath = await keepCopy(session, `${ran.id}.txt`, ran.outputPath);
    return {
      content: getPreview({ path: storedPath, size: ran.whole, beginning: ran.shown }),
      structured: {
        ...structured,
        persistedOutputPath: storedPath,
        persistedOutputSize: ran.whole,
      },
      saysOk: true,
    };
  }
  const lines = [ran.shown, ran.note, hint ?? ""].filter((line) => line !== "");
  const content = lines.length > 0 ? lines.join("\n") : NOTHING_PRINTED;
  return { content, structured, saysOk: true };
}

/** Reads the beginning of the output, and its total size in bytes. */
async function readOutput(path: string, room: number): Promise<{ shown: string; whole: number }> {
  const { size } = await stat(path);
  const file = await open(path, "r");
  try {
    const bytes = Buffer.alloc(Math.min(size, room * 4));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    const text = bytes
      .subarray(0, bytesRead)
      .toString("utf8")
      .replace(/^(\s*\n)+/, "")
      .trimEnd();
    return { shown: text.slice(0, room).trimEnd(), whole: size };
  } finally {
    await file.close();
  }
}

/**
 * Updates the folder of the shell, unless it is outside of the allowed folders. A command that did
 * not change it keeps a change by another one that ran in parallel.
 */
async function followFolder(session: Session, startedIn: string, cwdPath: string): Promise<string> {
  const went = await readFile(cwdPath, "utf8").catch(() => "");
  const folder = went.replace(/\n$/, "");
  if (folder === "" || folder === startedIn) return "";
  if (isAllowed(folder, session.permission.folders)) {
    await goTo(session, folder);
    return "";
  }
  await goTo(session, session.context.folder);
  return `Shell cwd was reset to ${session.context.folder}`;
}

/** Changes the folder. Hooks of the settings are told, and may set variables for that folder. */
async function goTo(session: Session, folder: string): Promise<void> {
  const before = session.shellFolder;
  session.shellFolder = folder;
  if (folder === before || !session.hooks.hasOwn("CwdChanged")) return;
  forgetFolderLines(session);
  await session.hooks.run("CwdChanged", { old_cwd: before, new_cwd: folder });
}

/** Explains exit codes that do not mean failure. */
function getMeaning(command: string, code: number): string | undefined {
  if (code === 0) return undefined;
  const last = readShell(command).commands.at(-1)?.words[0] ?? "";
  const meanings: Record<string, string> = {
    grep: "No matches found",
    egrep: "No matches found",
    rg: "No matches found",
    diff: "Files differ",
    find: "Some directories were inaccessible",
    test: "Condition is false",
    "[": "Condition is false",
  };
  return code === 1 ? meanings[basename(last)] : undefined;
}

function isNoFailure(command: string, code: number): boolean {
  return getMeaning(command, code) !== undefined;
}

/** Refuses commands that only sleep: the model should be notified about what it waits for. */
function refuseToSleep(command: string): string | undefined {
  const [first, ...rest] = readShell(command).commands.map(({ words }) => words.join(" "));
  const seconds = Number(/^sleep (\d+(?:\.\d+)?)$/.exec(first ?? "")?.[1] ?? 0);
  if (!/^\s*sleep\s/.test(command) || seconds < BLOCKED_SLEEP) return undefined;
  const wait = `sleep ${seconds}`;
  const what = rest.length === 0 ? `standalone ${wait}` : `${wait} followed by: ${rest.join(" ")}`;
  return `Blocked: ${what}. To wait for a condition, run an until-loop (e.g. \`until <check>; do sleep 2; done\`) with run_in_background: true; you are told of its end. Many short sleeps are no way round this.`;
}
