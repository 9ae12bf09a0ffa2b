import type * as Yaml from "yaml";
import type { Document } from "yaml";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";

interface FrontMatter {
  /** Every field as text; a list is one text with commas. */
  readonly head: Readonly<Record<string, string>>;
  readonly body: string;
  /** Returns the fields with their YAML types. Throws if the YAML is ambiguous. */
  readonly readFields: () => JsonObject;
}

/**
 * Reads the YAML between two `---` lines at the beginning of a Markdown file, and the text after
 * it.
 */
export async function readFrontMatter(whole: string): Promise<FrontMatter> {
  const found = /^---\r?\n([^]*?)\r?\n---\r?\n?/.exec(whole);
  if (!found) return { head: {}, body: whole, readFields: () => ({}) };
  const yaml = await import("yaml");
  const { parseDocument } = yaml;
  const written = found[1]!;
  const isValid = parseDocument(written).errors.length === 0;
  const text = isValid ? written : quoteValues(written);
  const asTexts = parseDocument(text, { schema: "failsafe" });
  const readFields = () => {
    const document = parseDocument(text);
    const [failure] = document.errors;
    if (failure) throw failure;
    const fields: unknown = document.toJS();
    return isObject(fields) ? fields : {};
  };
  return { head: toTexts(asTexts, yaml), body: whole.slice(found[0].length), readFields };
}

/**
 * Quotes values that are not valid YAML, because people write `description: Use it: often` and
 * `paths: *.ts`.
 */
function quoteValues(yaml: string): string {
  return yaml.replace(
    /^([\w-]+)[ \t]*:[ \t]+([^\s"'|>].*?)[ \t]*\r?$/gm,
    (_, name: string, value: string) => `${name}: ${JSON.stringify(value)}`,
  );
}

function toTexts(document: Document, { isMap, isNode }: typeof Yaml): Record<string, string> {
  if (!isMap(document.contents)) return {};
  const texts = document.contents.items.flatMap(({ key, value }): [string, string][] => {
    const name = isNode(key) ? String(key) : "";
    try {
      const read: unknown = isNode(value) ? value.toJS(document) : "";
      if (isObject(read)) return [];
      const parts = Array.isArray(read) ? read : [read ?? ""];
      return [[name, parts.map(String).join(", ").trim()]];
    } catch {
      return []; // The alias refers to nothing.
    }
  });
  return Object.fromEntries(texts);
}
