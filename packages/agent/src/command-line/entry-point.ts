/**
 * The program that started this one, in Claude Code's variable `CLAUDE_CODE_ENTRYPOINT`. A value
 * set by an SDK or an editor is kept; otherwise it follows from the arguments.
 */
export function entryPoint(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  isPrint: boolean,
): string {
  const given = environment["CLAUDE_CODE_ENTRYPOINT"];
  if (given) return given;
  const mcp = argv.indexOf("mcp");
  if (mcp !== -1 && argv[mcp + 1] === "serve") return "mcp";
  if (isTrue(environment["CLAUDE_CODE_ACTION"])) return "claude-code-github-action";
  return isPrint ? "sdk-cli" : "cli";
}

function isTrue(text: string | undefined): boolean {
  return ["1", "true", "yes", "on"].includes(text?.trim().toLowerCase() ?? "");
}
