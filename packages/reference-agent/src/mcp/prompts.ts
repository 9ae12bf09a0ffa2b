import { isObject } from "@signalbox/protocol/wire";
import type { Channel } from "./channel.ts";
import { clean } from "./names.ts";
import { getPages } from "./pages.ts";

/** A prompt that a server offers people as a command. */
export interface McpPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly { readonly name: string; readonly isRequired: boolean }[];
}

interface Slash {
  readonly name: string;
  readonly args: string;
}

export async function listPrompts(server: string, channel: Channel): Promise<McpPrompt[]> {
  const pages = await getPages(channel, "prompts/list");
  return pages.flatMap(({ prompts }) =>
    recordsIn(prompts).map(({ name, description, arguments: inputs }) => ({
      server,
      name: String(name),
      description: typeof description === "string" ? description : "",
      inputs: recordsIn(inputs).map((one) => ({
        name: String(one["name"]),
        isRequired: one["required"] === true,
      })),
    })),
  );
}

/** The name by which it is called. */
export const promptName = ({ server, name }: McpPrompt): string => `mcp__${clean(server)}__${name}`;

/** The name that people see. They may call it by this name, too. */
export const toShownPrompt = (prompt: McpPrompt) => ({
  name: `${prompt.server}:${prompt.name} (MCP)`,
  description: prompt.description,
  argumentHint: "",
});

const SHOWN = /^\(MCP\)(?:\s+|$)/;

/** Finds the prompt that a command names, and the name that was used. */
export function findCalledPrompt(
  prompts: readonly McpPrompt[],
  slash: Slash | undefined,
): { prompt: McpPrompt; slash: Slash } | undefined {
  if (!slash) return undefined;
  const { name, args } = slash;
  const isShown = SHOWN.test(args);
  const prompt = prompts.find((one) =>
    isShown ? toShownPrompt(one).name === `${name} (MCP)` : promptName(one) === name,
  );
  if (!prompt) return undefined;
  return { prompt, slash: { name: promptName(prompt), args: args.replace(SHOWN, "") } };
}

export const recordsIn = (list: unknown) => (Array.isArray(list) ? list.filter(isObject) : []);
