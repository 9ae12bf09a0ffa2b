import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { ApiBlock } from "./conversation.ts";

/**
 * Converts what Claude Code told the model beside the messages and stores as lines of their own:
 * files that a prompt named or a compaction restored, outputs of hooks, messages that people sent
 * in between. What Claude Code says about itself (tools, models, the date) is omitted.
 */
export function attachedBlocks(attachment: unknown): readonly ApiBlock[] {
  if (!isObject(attachment)) return [];
  const { type, prompt } = attachment;
  if (type !== "queued_command") return getNotes(attachment).map(reminder);
  if (typeof prompt === "string") return [{ type: "text", text: prompt }];
  return Array.isArray(prompt) ? (prompt as ApiBlock[]).filter(isObject) : [];
}

const reminder = (text: string): ApiBlock => ({
  type: "text",
  text: `<system-reminder>\n${text}\n</system-reminder>`,
});

function getNotes(attachment: JsonObject): string[] {
  const { filename, path, content, hookName, hookEvent, skills } = attachment;
  switch (attachment["type"]) {
    case "file": {
      const file = isObject(content) && isObject(content["file"]) ? content["file"] : {};
      if (typeof file["content"] !== "string") return [];
      return renderCall(
        "Read",
        { file_path: filename },
        numberLines(file["content"], file["startLine"]),
      );
    }
    case "directory":
      return renderCall("Bash", { command: `ls ${String(path)}` }, String(content));
    case "compact_file_reference":
      return [
        `${String(filename)} was read before the conversation was summed up, and is too long to be told again. Read it if you need it.`,
      ];
    case "invoked_skills":
      return Array.isArray(skills) ? [renderSkills(skills.filter(isObject))] : [];
    case "hook_additional_context": {
      const texts = Array.isArray(content) ? content.map(String) : [];
      return texts.map((text) => `${String(hookName)} hook additional context: ${text}`);
    }
    case "hook_success":
      // The model was told nothing of other events.
      if (hookEvent !== "SessionStart" && hookEvent !== "UserPromptSubmit") return [];
      if (typeof content !== "string" || content === "") return [];
      return [`${String(hookName)} hook success: ${content}`];
    default:
      return [];
  }
}

function renderCall(tool: string, input: JsonObject, result: string): string[] {
  return [
    `Called the ${tool} tool with the following input: ${JSON.stringify(input)}`,
    `Result of calling the ${tool} tool:\n${result}`,
  ];
}

function numberLines(text: string, first: unknown): string {
  const start = typeof first === "number" ? first : 1;
  return text
    .split("\n")
    .map((line, at) => `${start + at}\t${line}`)
    .join("\n");
}

function renderSkills(skills: readonly JsonObject[]): string {
  const skillTexts = skills.map(({ name, content }) => `## ${String(name)}\n${String(content)}`);
  return `Skills that were called before the conversation was summed up. What they say still holds; do not begin them anew.\n\n${skillTexts.join("\n\n")}`;
}
