import { COMMAND_HEADER } from "@signalbox/api/constants";
import type { Fetch } from "@signalbox/client";
import { signal } from "./signal.ts";

/** The share of large requests that has been sent, from 0 to 1, by command id. */
export const uploads = signal<ReadonlyMap<string, number>>(new Map());

/** Smaller requests show no progress. */
const LARGE_BODY_LENGTH = 64 * 1024;

/** Like `fetch`, but reports the upload progress of large bodies, which `fetch` cannot. */
export const uploadFetch: Fetch = (url, init) => {
  const { body } = init;
  return typeof body === "string" && body.length >= LARGE_BODY_LENGTH
    ? sendWithProgress(url, init, body)
    : fetch(url, init);
};

async function sendWithProgress(
  url: string,
  init: Parameters<Fetch>[1],
  body: string,
): Promise<Response> {
  const headers = new Headers(init.headers);
  const id = headers.get(COMMAND_HEADER) ?? url;
  try {
    return await sendRequest(url, init, headers, body, (part) => setProgress(id, part));
  } finally {
    setProgress(id, undefined);
  }
}

function setProgress(id: string, part: number | undefined): void {
  const parts = new Map(uploads.get());
  if (part === undefined) parts.delete(id);
  else parts.set(id, part);
  uploads.set(parts);
}

function sendRequest(
  url: string,
  { method = "GET", signal: over, onSent }: Parameters<Fetch>[1],
  headers: Headers,
  body: string,
  onPart: (part: number) => void,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open(method, url);
  request.responseType = "blob";
  headers.forEach((value, name) => request.setRequestHeader(name, value));
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    onSent?.();
    onPart(total > 0 ? loaded / total : 0);
  });
  request.addEventListener("load", () => resolve(toResponse(request)));
  request.addEventListener("error", () => reject(new TypeError("the request failed")));
  request.addEventListener("abort", () => reject(over?.reason as Error));
  const leave = () => request.abort();
  over?.addEventListener("abort", leave, { once: true });
  request.addEventListener("loadend", () => over?.removeEventListener("abort", leave));
  if (over?.aborted) reject(over.reason as Error);
  else request.send(body);
  return promise;
}

function toResponse(request: XMLHttpRequest): Response {
  const { status } = request;
  const type = request.getResponseHeader("content-type");
  const empty = status === 204 || status === 304;
  return new Response(empty ? null : (request.response as Blob), {
    status,
    headers: type === null ? {} : { "content-type": type },
  });
}
