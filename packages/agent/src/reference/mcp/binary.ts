import type { Session } from "../session.ts";
import { keepOutput, sizeText } from "../tools/kept-output.ts";

const extensions: Record<string, string> = {
  "application/pdf": "pdf",
  "application/json": "json",
  "application/zip": "zip",
  "application/msword": "doc",
  "application/vnd.ms-excel": "xls",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "text/csv": "csv",
  "text/plain": "txt",
  "text/html": "html",
  "text/markdown": "md",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/ogg": "ogg",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
};

/** Bytes that a server sent, in a file of the session; its path. */
export function keepBytes(
  session: Session,
  server: string,
  { data, mimeType }: { data: string; mimeType: string },
): Promise<string> {
  const clean = server.replace(/[^a-zA-Z0-9_-]/g, "_");
  const [kind = ""] = mimeType.split(";");
  const random = Math.random().toString(36).slice(2, 8);
  const name = `mcp-${clean}-blob-${Date.now()}-${random}.${extensions[kind.trim()] ?? "bin"}`;
  return keepOutput(session, name, Buffer.from(data, "base64"));
}

/** What the model is told of bytes that it cannot see. */
export async function binaryText(
  session: Session,
  server: string,
  sent: { data: string; mimeType: string },
): Promise<string> {
  const path = await keepBytes(session, server, sent);
  const size = sizeText(Buffer.byteLength(sent.data, "base64"));
  return `Binary content (${sent.mimeType || "unknown type"}, ${size}) saved to ${path}`;
}
