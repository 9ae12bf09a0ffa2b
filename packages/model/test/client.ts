import type { Model } from "@signalbox/model";

export type Event = { type: string } & Record<string, unknown>;
export type Body = Record<string, unknown>;

/** A request as small as the API takes it; `messages` may be a prompt alone. */
export function body(messages: string | Body[], more: Body = {}): Body {
  const turns = typeof messages === "string" ? [{ role: "user", content: messages }] : messages;
  return { model: "claude-test", max_tokens: 100, stream: true, messages: turns, ...more };
}

export function post(model: Model, sent: unknown, init: RequestInit = {}): Promise<Response> {
  const text = typeof sent === "string" ? sent : JSON.stringify(sent);
  return fetch(`${model.url}/v1/messages?beta=true`, { method: "POST", body: text, ...init });
}

/** All events of the stream that answers a request. */
export async function events(model: Model, sent: Body): Promise<Event[]> {
  return readEvents(await (await post(model, sent)).text());
}

export function readEvents(stream: string): Event[] {
  const parts = stream.split("\n\n").filter(Boolean);
  return parts.map((part) => {
    const [, name = "", data = ""] = /^event: (\S+)\ndata: (.*)$/.exec(part) ?? [];
    const event = JSON.parse(data) as Event;
    if (event.type !== name) throw new Error(`event ${name} carries ${event.type}`);
    return event;
  });
}

/** What a promise fails with; fails itself if it does not. */
export async function getFailure(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (!outcome) throw new Error("it did not fail");
  return outcome.error;
}

/** The words of a streamed answer, all blocks together. */
export async function said(model: Model, sent: Body): Promise<string> {
  return getText(await events(model, sent));
}

export function getText(all: Event[]): string {
  return all.map(({ delta }) => (delta as { text?: string } | undefined)?.text ?? "").join("");
}
