import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Turn } from "@signalbox/agent";
import { builtInPrompts } from "../commands/built-in.ts";
import { expand, type SlashCommand } from "../commands/commands.ts";
import { withOutputs } from "../tools/embedded-commands.ts";
import { getText } from "./mcp-prompt.ts";
import { findCalledPrompt } from "../mcp/prompts.ts";
import { type ApiBlock, getBlocks } from "../model/conversation.ts";
import type { Session } from "../session.ts";

/** A command in a prompt, and its text. */
export interface CalledCommand {
  readonly name: string;
  readonly args: string;
  readonly text: string;
  /** The blocks that a server made of it, if it is a server's prompt. */
  readonly blocks?: readonly ApiBlock[];
}

/** Finds a command whose text is for the model, custom or built in. */
export const promptCommand = (session: Session, name: string): SlashCommand | undefined =>
  [...session.commands, ...builtInPrompts].find((one) => one.name === name);

/**
 * Returns the text of the command in a prompt, including the output of embedded commands; undefined
 * for other prompts.
 */
export async function callCommand(
  session: Session,
  { name, args }: { name: string; args: string },
  signal: AbortSignal,
): Promise<CalledCommand | undefined> {
  const ofServer = findCalledPrompt(session.mcp.prompts, { name, args });
  if (ofServer) {
    const blocks = await getText(session, ofServer.prompt, args, signal);
    return { name, args, text: "", blocks };
  }
  const command = promptCommand(session, name);
  if (!command) return undefined;
  return { name, args, text: await withOutputs(expand(command, args), session, signal) };
}

/** Adds the prompt to the conversation. The text of a command replaces its name. */
export function addPrompt(session: Session, turn: Turn, command: CalledCommand | undefined): void {
  const { content, uuid } = turn.prompt;
  const blocks = getBlocks(content).map(withoutEmptyPicture);
  if (!command) {
    const whole = [...blocks, ...keepPictures(session, blocks)];
    session.conversation.push({ role: "user", content: whole, uuid });
    return;
  }
  const { name, args, text, blocks: made = [{ type: "text", text }] } = command;
  const given = args === "" ? "" : `\n<command-args>${args}</command-args>`;
  const head = `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>${given}`;
  const pictures = blocks.filter(({ type }) => type !== "text");
  turn.echoAs(head);
  const whole = [{ type: "text", text: head }, ...pictures, ...made];
  session.conversation.push({ role: "user", content: whole, uuid });
  if (!command.blocks) session.shownSkills.set(name, text);
  const promptContent = command.blocks ?? text;
  if (promptContent.length > 0)
    turn.record({ type: "user", isMeta: true, message: { role: "user", content: promptContent } });
}

const NO_PICTURE = "[Image could not be processed: Image file is empty (0 bytes)]";

function withoutEmptyPicture(block: ApiBlock): ApiBlock {
  const { type, data } = (block["source"] ?? {}) as Record<string, unknown>;
  const isPicture = block.type === "image" && type === "base64" && typeof data === "string";
  if (!isPicture || Buffer.from(data, "base64").length > 0) return block;
  return { type: "text", text: NO_PICTURE };
}

/** Stores images as files as well, so that commands can use them. */
function keepPictures(session: Session, blocks: readonly ApiBlock[]): ApiBlock[] {
  return blocks.flatMap((block) => {
    const { type, media_type, data } = (block["source"] ?? {}) as Record<string, unknown>;
    if (block.type !== "image" || type !== "base64" || typeof data !== "string") return [];
    const folder = join(session.ownFolder, "images");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(
      folder,
      `${++session.pictures}.${String(media_type).replace(/^image\//, "")}`,
    );
    writeFileSync(path, Buffer.from(data, "base64"), { mode: 0o600 });
    return [{ type: "text", text: `[Image: source: ${path}]` }];
  });
}
