import type { Session } from "../session.ts";
import { keepOutput, sizeText } from "../files/kept-output.ts";
import { clean } from "./names.ts";

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

interface Sent {
  readonly data: string;
  readonly mimeType: string;
}

/** Stores bytes from a server in a file of the session and returns its path. */
export function keepBytes(session: Session, server: string, sent: Sent): Promise<string> {
  return keep(session, `mcp-${clean(server)}-blob-${Date.now()}`, sent);
}

/** Stores the bytes of one part of a resource. */
export function keepResource(session: Session, at: number, sent: Sent): Promise<string> {
  return keep(session, `mcp-resource-${Date.now()}-${at}`, sent);
}

function keep(session: Session, name: string, { data, mimeType }: Sent): Promise<string> {
  const [kind = ""] = mimeType.split(";");
  const random = Math.random().toString(36).slice(2, 8);
  const whole = `${name}-${random}.${extensions[kind.trim()] ?? "bin"}`;
  return keepOutput(session, whole, Buffer.from(data, "base64"));
}

/** Describes bytes to the model, which cannot see them. */
export async function binaryText(session: Session, server: string, sent: Sent): Promise<string> {
  return binaryAt(await keepBytes(session, server, sent), sent);
}

export function binaryAt(path: string, { data, mimeType }: Sent): string {
  const size = sizeText(Buffer.byteLength(data, "base64"));
  return `Binary content (${mimeType || "unknown type"}, ${size}) saved to ${path}`;
}
