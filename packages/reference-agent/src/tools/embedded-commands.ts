import { decide } from "../permission/decide.ts";
import type { Session } from "../session.ts";
import { bash } from "./bash.ts";
import { callAside, ToolFailure } from "../tool.ts";

/** The text of a command cannot be created. The person sees the reason. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

const EMBEDDED = /!`([^`]+)`/g;

/**
 * Replaces each !`…` in a command's text with the output of that command. Nobody is asked: a
 * command that the rules do not allow is an error.
 */
export async function withOutputs(
  text: string,
  session: Session,
  signal: AbortSignal,
): Promise<string> {
  const outputs: string[] = [];
  for (const [pattern, command] of text.matchAll(EMBEDDED)) {
    outputs.push(await getOutput(pattern, command ?? "", session, signal));
  }
  return text.replace(EMBEDDED, () => outputs.shift() ?? "");
}

async function getOutput(
  pattern: string,
  command: string,
  session: Session,
  signal: AbortSignal,
): Promise<string> {
  const input = { command, description: "A command's own" };
  const judge = () => bash.judge?.(input, { session }) ?? ({ behavior: "pass" } as const);
  const decision = decide(session.permission, "Bash", judge);
  if (decision.behavior !== "allow") {
    const why =
      decision.behavior === "deny" ? decision.message : (decision.unasked ?? "it needs approval.");
    throw new CommandFailure(
      `Shell command permission check failed for pattern "${pattern}": ${why}`,
    );
  }
  try {
    const { structured } = await bash.run(input, callAside(session, signal));
    return (structured as { stdout: string }).stdout;
  } catch (cause) {
    if (!(cause instanceof ToolFailure)) throw cause;
    const printed = cause.message.replace(/^Exit code \d+\n?/, "");
    const errorOutput = printed === "" ? "" : `[stderr]\n${printed}`;
    throw new CommandFailure(`Shell command failed for pattern "${pattern}": ${errorOutput}`);
  }
}
