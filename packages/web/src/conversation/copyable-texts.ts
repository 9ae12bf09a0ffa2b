import { strings } from "../strings/strings.ts";
import {
  type Body,
  type DisplayItem,
  type DisplayItemOfKind,
  getLength,
  isBody,
} from "../text/body.ts";

const text = strings.conversation;

interface CopyableText {
  readonly id: "copy" | "copy-output" | "copy-diff";
  readonly label: string;
  readonly bodies: readonly Body[];
}

/** The texts of an item that can be copied: a message, a thought, a command, an output, a diff. */
export function listCopyableTexts(item: DisplayItem): readonly CopyableText[] {
  if (item.kind === "text" || item.kind === "thinking") return oneText(item.text);
  if (item.kind === "prompt") return oneText(joinTexts(item.content));
  return item.kind === "tool" ? listToolTexts(item) : [];
}

function oneText(body: Body | undefined): readonly CopyableText[] {
  return isFilled(body) ? [{ id: "copy", label: text.copy, bodies: [body] }] : [];
}

function listToolTexts({ payload }: DisplayItemOfKind<"tool">): readonly CopyableText[] {
  const command = payload?.kind === "shell_exec" ? oneText(payload.command) : [];
  const outputs = listOutputs(payload).filter(isFilled);
  const diff = payload?.kind === "modify_file" ? payload.output?.diff : undefined;
  return [
    ...command,
    ...(outputs.length > 0
      ? [{ id: "copy-output" as const, label: text.copyOutput, bodies: outputs }]
      : []),
    ...(isFilled(diff) ? [{ id: "copy-diff" as const, label: text.copyDiff, bodies: [diff] }] : []),
  ];
}

function listOutputs(payload: DisplayItemOfKind<"tool">["payload"]): readonly unknown[] {
  switch (payload?.kind) {
    case "shell_exec":
      return [payload.output?.stdout, payload.output?.stderr];
    case "read_file":
      return [payload.output?.content];
    case "mcp_tool":
      return [payload.output?.text];
    case "generic":
    case "misc":
      return [payload.output];
    default:
      return [];
  }
}

function isFilled(body: unknown): body is Body {
  return isBody(body) && getLength(body) > 0;
}

/** The text of a prompt, also if it has pictures beside it. */
function joinTexts(content: DisplayItemOfKind<"prompt">["content"]): Body | undefined {
  if (isBody(content)) return content;
  const texts = content.flatMap(({ text: part }) => (isBody(part) ? [part] : []));
  if (texts.length <= 1) return texts[0];
  const whole = texts.filter((part) => typeof part === "string");
  return whole.length < texts.length ? undefined : whole.join("\n\n");
}
