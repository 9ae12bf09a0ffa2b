import { toText } from "./ask-text.ts";
import { strings } from "../strings/strings.ts";

type Input = Readonly<Record<string, unknown>>;

/** The edited input fields by name: strings as they are, everything else as JSON. */
export type InputDraft = Readonly<Record<string, string>>;

/** Only the command of a Bash call can be edited; of other tools every field can. */
export function createInputDraft(tool: string | undefined, input: Input): InputDraft {
  const command = input["command"];
  if (tool === "Bash" && typeof command === "string") return { command };
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, toText(value)]));
}

type EditResult =
  | { readonly kind: "changed"; readonly input: Record<string, unknown> }
  | { readonly kind: "same" }
  | { readonly kind: "wrong"; readonly why: string };

/** Turns the edited fields back into a tool input. A field that is not a string and was emptied is removed. */
export function applyDraft(draft: InputDraft, input: Input): EditResult {
  const changed: Record<string, unknown> = { ...input };
  for (const [name, text] of Object.entries(draft)) {
    if (text === toText(input[name])) continue;
    if (typeof input[name] === "string") changed[name] = text;
    else if (text.trim() === "") delete changed[name];
    else {
      try {
        changed[name] = JSON.parse(text);
      } catch (error) {
        return { kind: "wrong", why: strings.asks.notJson(name, (error as Error).message) };
      }
    }
  }
  if (typeof changed["command"] === "string" && changed["command"].trim() === "") {
    return { kind: "wrong", why: strings.asks.commandEmpty };
  }
  if (JSON.stringify(changed) === JSON.stringify(input)) return { kind: "same" };
  return { kind: "changed", input: changed };
}
