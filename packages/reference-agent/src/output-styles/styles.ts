import { join } from "node:path";
import { readFrontMatter } from "../markdown/front-matter.ts";
import { type DefinitionFolder, markdownFiles } from "../markdown/markdown-files.ts";
import type { Settings } from "../settings.ts";
import { builtInStyles, type OutputStyle } from "./built-in.ts";

export const DEFAULT_STYLE = "default";

/**
 * Finds the built-in styles and those of `output-styles`; the project's take precedence over the
 * user's of the same name.
 */
export async function findStyles(folders: readonly DefinitionFolder[]): Promise<OutputStyle[]> {
  const written = await Promise.all(
    folders.map(({ folder }) => markdownFiles(join(folder, "output-styles"))),
  );
  const own = await Promise.all(
    written.flat().map(async ({ name, text }): Promise<OutputStyle> => {
      const { head, body } = await readFrontMatter(text);
      return { name: head["name"] || name.split(":").at(-1)!, prompt: body.trim() };
    }),
  );
  return [...new Map([...builtInStyles, ...own].map((one) => [one.name, one])).values()];
}

/** Returns the name of the style in the settings, whether it exists or not. */
export function styleNamed({ files }: Settings): string {
  const styleNames = files.map(({ content }) => content["outputStyle"]);
  return styleNames.findLast((one) => typeof one === "string") ?? DEFAULT_STYLE;
}

/** Returns the style's text for the model; undefined for an unknown style. */
export function styleText(styles: readonly OutputStyle[], settings: Settings): string[] {
  const named = styles.find(({ name }) => name === styleNamed(settings));
  return named ? [`# Output style: ${named.name}\n${named.prompt}`] : [];
}
