const LONGEST_EVENT = 64 * 1024 * 1024;

interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** The id after which the stream can be resumed. */
  readonly id?: string;
  /** The delay before resuming, in milliseconds. */
  readonly retry?: number;
}

/** Reads the events of a stream of server-sent events. */
export async function* eventsIn({ body }: Response): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    if (rest.length > LONGEST_EVENT) throw new Error("the MCP server's event is too long");
    for (const event of events) yield readEvent(event);
  }
}

function readEvent(event: string): ServerEvent {
  const lines = event.split(/\r?\n/);
  const values = (field: string) =>
    lines.flatMap((line) => {
      const found = line.startsWith(`${field}:`) ? line.slice(field.length + 1) : undefined;
      return found === undefined ? [] : [found.replace(/^ /, "")];
    });
  const id = values("id").at(-1);
  const retry = values("retry").at(-1);
  return {
    type: values("event").at(-1) ?? "message",
    data: values("data").join("\n"),
    ...(id === undefined ? {} : { id }),
    ...(retry !== undefined && /^\d+$/.test(retry) ? { retry: Number(retry) } : {}),
  };
}
