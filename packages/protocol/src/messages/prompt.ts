export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export type PromptBlock =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: ImageType; data: string } }
  | {
      type: "document";
      source: { type: "base64"; media_type: "application/pdf"; data: string };
      title?: string;
    };

/**
 * The line that sends a prompt to an agent. The host chooses the uuid, so that sending it again is
 * safe.
 */
export function promptLine(prompt: {
  content: string | readonly PromptBlock[];
  uuid: string;
  sessionId?: string;
}): string {
  return JSON.stringify({
    type: "user",
    message: { role: "user", content: prompt.content },
    parent_tool_use_id: null,
    session_id: prompt.sessionId ?? "",
    uuid: prompt.uuid,
  });
}
