import type { Entry } from "../model/conversation.ts";
import type { MemoryFile } from "./memory-file.ts";

const whose: Record<MemoryFile["type"], string> = {
  Managed: "for everybody on this machine",
  User: "the user's own, for all projects",
  Project: "of the project, for everybody who works on it",
  Local: "the user's own, for this project",
};

/** Renders the memory that opens a conversation. */
export function getOpening(files: readonly MemoryFile[]): Entry[] {
  if (files.length === 0) return [];
  const parts = [
    "The user and the project have left instructions for you. Follow them to the letter; they come before your own habits.",
    ...files.map(({ path, type, text }) => `${getHead(path)} (${whose[type]}):\n\n${text}`),
  ];
  const text = `<system-reminder>\n${parts.join("\n\n")}\n</system-reminder>`;
  return [{ role: "user", content: [{ type: "text", text }] }];
}

/** Renders a memory file that is added later. */
export const getTell = ({ path, text }: MemoryFile): string => `${getHead(path)}:\n\n${text}`;

/** Whether a file was told, and the model can still see it. */
export function isInConversation(entries: readonly Entry[], { path }: MemoryFile): boolean {
  const head = `<system-reminder>\n${getHead(path)}:\n`;
  return entries.some(({ role, content }) =>
    content.some(
      ({ text }) => role === "user" && typeof text === "string" && text.startsWith(head),
    ),
  );
}

const getHead = (path: string): string => `Contents of ${path}`;
