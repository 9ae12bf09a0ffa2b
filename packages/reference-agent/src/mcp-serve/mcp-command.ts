import { type ParsedArguments, parseArguments, UsageError } from "@signalbox/agent/command-line";

/** The command that `mcp …` on the command line requests. */
type McpCommand =
  | { readonly kind: "serve"; readonly given: ParsedArguments }
  | { readonly kind: "help"; readonly text: string };

const usage = `Usage: signalbox-agent [options] mcp serve [--debug] [--verbose]

Offers the agent's tools to another program, over stdin and stdout. That program decides what is
called: nobody is asked. What the settings or --disallowed-tools deny stays denied.
`;
const known = new Set(["-d", "--debug", "--verbose"]);

/**
 * Parses the command if the first word that belongs to no flag is `mcp`. A prompt that begins with
 * this word is passed with `-p`.
 */
export function parseMcpCommand(argv: readonly string[]): McpCommand | undefined {
  if (argv.includes("-p") || argv.includes("--print")) return undefined;
  const at = argv.findIndex((word, place) => word === "mcp" && isFirstWord(argv, place));
  if (at === -1) return undefined;
  const [command, ...rest] = argv[at + 1] === "--" ? argv.slice(at + 2) : argv.slice(at + 1);
  if (command === undefined) throw new UsageError(usage.trimEnd());
  if (["-h", "--help", "help"].includes(command)) return { kind: "help", text: usage };
  if (command.startsWith("-")) throw new UsageError(`error: unknown option '${command}'`);
  if (command !== "serve") throw new UsageError(`error: unknown command '${command}'`);
  const end = rest.indexOf("--");
  const options = rest.slice(0, end === -1 ? undefined : end).filter((word) => /^-./.test(word));
  if (options.some((word) => word === "-h" || word === "--help")) {
    return { kind: "help", text: usage };
  }
  const strange = options.find((word) => !known.has(word));
  if (strange !== undefined) throw new UsageError(`error: unknown option '${strange}'`);
  return { kind: "serve", given: parseArguments(argv.slice(0, at)) };
}

function isFirstWord(argv: readonly string[], at: number): boolean {
  try {
    const { words } = parseArguments(argv.slice(0, at + 1));
    return words.length === 1 && words[0] === "mcp";
  } catch {
    return false; // Errors are reported when the whole command line is parsed.
  }
}
