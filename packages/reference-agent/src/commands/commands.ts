import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Effort, readEffort } from "../model/effort.ts";
import { splitRules } from "../permission/rule.ts";
import { readFrontMatter } from "../markdown/front-matter.ts";
import { type DefinitionFolder, markdownFiles } from "../markdown/markdown-files.ts";

/** A custom command: its text becomes a prompt. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
  readonly body: string;
  /** The model for the turn that it begins; undefined: the session's. */
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
  readonly kind: "command" | "skill";
  readonly source: DefinitionFolder["source"];
  /** The folder of the skill. */
  readonly folder?: string;
  /** Rules that allow tools while the command runs. */
  readonly allowedTools: readonly string[];
  /** Whether the model may call it with the Skill tool. */
  readonly forModel: boolean;
  /** Whether people may call it, by `/name`. */
  readonly forPeople: boolean;
}

/**
 * Finds the commands of `.claude/commands` and `.claude/skills`: the user's, then the project's.
 * For the same name, a skill takes precedence over a command, and the user's over the project's.
 */
export async function findCommands(folders: readonly DefinitionFolder[]): Promise<SlashCommand[]> {
  const found = await Promise.all(
    folders.map(async (one) => [...(await commandsIn(one)), ...(await skillsIn(one))]),
  );
  const all = found.flat();
  const first = (kind: SlashCommand["kind"], name: string) =>
    all.find((one) => one.kind === kind && one.name === name);
  return all.filter((one) => one === (first("skill", one.name) ?? first("command", one.name)));
}

async function commandsIn({ folder, source }: DefinitionFolder): Promise<SlashCommand[]> {
  const files = await markdownFiles(join(folder, "commands"));
  return Promise.all(
    files.map(async ({ name, text }) => {
      const { head, body } = await readFrontMatter(text);
      return { name, ...readHeadFields(head, body), body, kind: "command" as const, source };
    }),
  );
}

async function skillsIn({ folder, source }: DefinitionFolder): Promise<SlashCommand[]> {
  const root = join(folder, "skills");
  const entries = await readdir(root).catch(() => []);
  const found = await Promise.all(
    entries
      .toSorted((one, other) => one.localeCompare(other))
      .map(async (entry): Promise<SlashCommand[]> => {
        const path = join(root, entry, "SKILL.md");
        const whole = await readFile(path, "utf8").catch(() => undefined);
        if (whole === undefined) return [];
        const { head, body } = await readFrontMatter(whole);
        return [
          {
            name: head["name"] ?? entry,
            ...readHeadFields(head, body),
            body: body.replace(/^\n/, ""),
            kind: "skill",
            source,
            folder: dirname(path),
          },
        ];
      }),
  );
  return found.flat();
}

function readHeadFields(head: Readonly<Record<string, string>>, body: string) {
  const model = head["model"] ?? "";
  return {
    description: head["description"] ?? firstLine(body),
    argumentHint: head["argument-hint"] ?? "",
    model: model === "" || model === "inherit" ? undefined : model,
    effort: readEffort(head["effort"]),
    allowedTools: splitRules([head["allowed-tools"] ?? ""]),
    forModel: !/^(?:true|yes|on)$/i.test(head["disable-model-invocation"] ?? ""),
    forPeople: !/^(?:false|no|off)$/i.test(head["user-invocable"] ?? ""),
  };
}

function firstLine(body: string): string {
  return (
    body
      .trim()
      .split("\n", 1)[0]
      ?.replace(/^#+\s*/, "") ?? ""
  );
}

/**
 * Parses `/name and arguments`. Returns undefined for anything else, also if a space comes first.
 */
export function readSlash(prompt: string): { name: string; args: string } | undefined {
  const found = /^\/([\w:.-]+)(?:\s+([^]*))?$/.exec(prompt.trimEnd());
  return found ? { name: found[1]!, args: (found[2] ?? "").trim() } : undefined;
}

/**
 * Inserts the arguments into the command's text: `$ARGUMENTS` is all of them, `$0` or
 * `$ARGUMENTS[0]` the first, which is kept as text if there is none. Without a placeholder, the
 * arguments are appended.
 */
export function expand({ body, folder }: SlashCommand, args: string): string {
  const words =
    args.match(/"[^"]*"|'[^']*'|\S+/g)?.map((word) => word.replace(/^(["'])(.*)\1$/s, "$2")) ?? [];
  const text = body.replace(
    /\$ARGUMENTS\[(\d+)\]|\$(\d+)\b|\$ARGUMENTS/g,
    (sign, index?: string, place?: string) => {
      const at = index ?? place;
      return at === undefined ? args : (words[Number(at)] ?? sign);
    },
  );
  const whole = text === body && args !== "" ? `${body}\n\nARGUMENTS: ${args}` : text;
  return folder === undefined ? whole : `Base directory for this skill: ${folder}\n\n${whole}`;
}
