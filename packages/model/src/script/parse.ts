import { invalid, readDirective } from "./directives.ts";
import { fileLines, promptLines } from "./lines.ts";
import type { Directive, Scene, Script, ScriptedMessage } from "./types.ts";

/** Reads a script file; throws SCRIPT_INVALID at the first line that makes no sense. */
export function parseScript(source: string): Script {
  const scenes: { match: string; directives: Directive[] }[] = [];
  for (const line of fileLines(source)) {
    if (line.word.startsWith("==")) {
      const match = `${line.word.slice(2)} ${line.rest}`.trim();
      if (match === "") throw invalid(line, `a scene needs a text; allowed: == TEXT | == *`);
      scenes.push({ match, directives: [] });
      continue;
    }
    if (scenes.length === 0) scenes.push({ match: "*", directives: [] });
    scenes.at(-1)?.directives.push(readDirective(line));
  }
  return {
    scenes: scenes.map(({ match, directives }) => ({ match, messages: intoMessages(directives) })),
  };
}

/** The scene that a prompt writes for itself in lines that begin with `::`, if it has any. */
export function parsePrompt(prompt: string): Scene | undefined {
  const lines = promptLines(prompt);
  if (lines.length === 0) return undefined;
  return { match: "*", messages: intoMessages(lines.map(readDirective)) };
}

/** A message ends at `next`, and after its run of tools; counts and stop reasons may follow them. */
function intoMessages(directives: Directive[]): ScriptedMessage[] {
  const messages: ScriptedMessage[] = [];
  let open: ScriptedMessage | undefined;
  const current = () => {
    if (!open) messages.push((open = { steps: [], usage: {} }));
    return open;
  };
  for (const directive of directives) {
    switch (directive.kind) {
      case "step":
        if (directive.step.do !== "tool" && open?.steps.at(-1)?.do === "tool") open = undefined;
        current().steps.push(directive.step);
        break;
      case "usage":
        Object.assign(current().usage, directive.usage);
        break;
      case "stop":
        current().stopReason = directive.reason;
        break;
      case "next":
        current();
        open = undefined;
        break;
      default:
        directive satisfies never;
    }
  }
  return messages;
}
