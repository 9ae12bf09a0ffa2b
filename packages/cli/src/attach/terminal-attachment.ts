import type { TerminalView } from "@signalbox/api";
import type { HubClient, Session } from "@signalbox/client";
import { CommandError } from "../command-error.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";

/** Ctrl+], which Claude Code does not use. */
const DETACH_KEY = "\u001d";
const ENTER = "\u001b[?1049h\u001b[H\u001b[2J";
/** Turns off every mode that a program may have turned on, and shows what was there before. */
const LEAVE =
  "\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?1004l\u001b[?2004l\u001b[?1l\u001b>\u001b[?25h\u001b[0m\u001b[?1049l";

/** The agent's own terminal of a session. Refuses a session that has none now. */
export async function requireAgentTerminal(
  hub: Pick<HubClient, "terminals">,
  { id }: Session,
): Promise<TerminalView> {
  const all = await hub.terminals();
  const found = all.find((view) => view.session === id && view.kind === "agent" && !view.end);
  if (found) return found;
  throw new CommandError(
    exitCode.refused,
    "This session has no terminal now. Move it there with `signalbox switch SESSION terminal`, or leave out --terminal.",
  );
}

/** Shows a terminal of the hub in this terminal until the detach key is pressed or it is closed. */
export async function attachToTerminal(
  hub: HubClient,
  { id }: TerminalView,
  { runner }: Pick<Session, "runner">,
  mayType: boolean,
): Promise<ExitCode> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new CommandError(exitCode.usage, "--terminal needs a terminal.");
  }
  const over = Promise.withResolvers<"detached" | "closed">();
  stdout.write(ENTER);
  const watch = hub.watchTerminal(id, runner, {
    onSnapshot: ({ text }) => void stdout.write(`\u001b[0m\u001b[H\u001b[2J${text}`),
    onOutput: (text) => void stdout.write(text),
    onSize: () => {}, // this terminal keeps its size, and what does not fit is cut off
    onGone: () => over.resolve("closed"),
  });
  const onInput = (data: Buffer) => {
    const text = data.toString("utf8");
    const end = text.indexOf(DETACH_KEY);
    if (mayType) watch.type(end < 0 ? text : text.slice(0, end));
    if (end >= 0) over.resolve("detached");
  };
  const onResize = () => {
    if (mayType) watch.resize({ cols: stdout.columns, rows: stdout.rows });
  };
  const leave = () => over.resolve("detached");
  stdin.setRawMode(true);
  stdin.on("data", onInput).resume();
  stdout.on("resize", onResize).on("error", leave);
  process.on("SIGTERM", leave).on("SIGHUP", leave);
  onResize();
  try {
    const how = await over.promise;
    stdout.write(LEAVE);
    console.error(how === "closed" ? "The terminal was closed." : "Detached. The session goes on.");
    return exitCode.success;
  } finally {
    watch.close();
    stdin.off("data", onInput).pause();
    stdin.setRawMode(false);
    stdout.off("resize", onResize).off("error", leave);
    process.off("SIGTERM", leave).off("SIGHUP", leave);
  }
}
