type Input = Readonly<Record<string, unknown>>;

/** What is edited: the text of one field, or the whole input as JSON. */
export type Draft =
  | { readonly kind: "command"; readonly field: string; readonly text: string }
  | { readonly kind: "json"; readonly text: string };

export function draftOf(tool: string | undefined, input: Input): Draft {
  const command = input["command"];
  if (tool === "Bash" && typeof command === "string") {
    return { kind: "command", field: "command", text: command };
  }
  return { kind: "json", text: JSON.stringify(input, null, 2) };
}

export type Edited =
  | { readonly kind: "changed"; readonly input: Record<string, unknown> }
  | { readonly kind: "same" }
  | { readonly kind: "wrong"; readonly why: string };

/** The input that the edited text stands for. */
export function editedInput(draft: Draft, input: Input): Edited {
  if (draft.kind === "command") {
    if (draft.text.trim() === "") return { kind: "wrong", why: "The command is empty." };
    if (draft.text === input[draft.field]) return { kind: "same" };
    return { kind: "changed", input: { ...input, [draft.field]: draft.text } };
  }
  let value: unknown;
  try {
    value = JSON.parse(draft.text);
  } catch (error) {
    return { kind: "wrong", why: `This is not JSON yet: ${(error as Error).message}` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "wrong", why: "The input must be a JSON object." };
  }
  if (JSON.stringify(value) === JSON.stringify(input)) return { kind: "same" };
  return { kind: "changed", input: value as Record<string, unknown> };
}
