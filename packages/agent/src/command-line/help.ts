import { CLAUDE_CODE_VERSION } from "../version.ts";
import { type Flag, flags } from "./flags.ts";

/** Hosts read the version from the beginning of this text. */
export const versionText = `${CLAUDE_CODE_VERSION} (Claude Code), spoken by signalbox-agent 0.1.0`;

export function helpText(): string {
  const lines = Object.values(flags).map((flag: Flag) => {
    const [open, close] = flag.takes === "optional" ? ["[", "]"] : ["<", ">"];
    const many = flag.takes === "many" ? "..." : "";
    const value = flag.value === undefined ? "" : ` ${open}${flag.value}${many}${close}`;
    const choices = flag.choices ? `  ${flag.choices.join(", ")}` : "";
    return `  ${flag.names.join(", ")}${value}${choices}`;
  });
  return `Usage: signalbox-agent [options] [prompt]
       signalbox-agent mcp serve

An agent that speaks Claude Code's protocol. On a terminal it is interactive; with -p or a pipe it
answers and ends. The options are Claude Code's, and some of its own for --sdk-url: how many lines are
kept to be said again after a lost connection (1000), how often it is dialed again before the agent
gives up and ends with 1 (3), the first and the longest wait before that (1000 and 30000 ms), how often
it pings (10000 ms), and after how much silence a connection counts as lost (30000 ms).

${lines.join("\n")}
`;
}
