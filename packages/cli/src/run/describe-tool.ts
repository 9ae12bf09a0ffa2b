import { isObject } from "@signalbox/protocol";

/** The fields that say best what a call does, in the order in which they are looked for. */
const telling = [
  "command",
  "file_path",
  "notebook_path",
  "pattern",
  "url",
  "query",
  "description",
  "skill",
  "prompt",
  "plan",
];

/** What a tool call does, in one line's worth of text. */
export function toolLine(input: unknown): string {
  if (!isObject(input)) return "";
  for (const field of telling) {
    const value = input[field];
    if (typeof value === "string" && value !== "") return value;
  }
  return Object.keys(input).length === 0 ? "" : JSON.stringify(input);
}

/** The whole input, for a person who has to decide: text as text, the rest as JSON. */
export function toolInput(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .map(([field, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
      return text.includes("\n") ? `${field}:\n${indent(text, "  ")}` : `${field}: ${text}`;
    })
    .join("\n");
}

/** What a tool gave back, as text. */
export function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return content
    .map((block: unknown) => {
      if (isObject(block) && typeof block["text"] === "string") return block["text"];
      return isObject(block) ? `[${String(block["type"])}]` : String(block);
    })
    .join("\n");
}

export function indent(text: string, margin: string): string {
  return text
    .split("\n")
    .map((line) => margin + line)
    .join("\n");
}
