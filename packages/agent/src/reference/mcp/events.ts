const LONGEST_EVENT = 64 * 1024 * 1024;

export interface ServerEvent {
  readonly type: string;
  readonly data: string;
}

/** What comes over a stream of server-sent events. */
export async function* eventsIn({ body }: Response): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    if (rest.length > LONGEST_EVENT) throw new Error("the MCP server's event is too long");
    for (const event of events) {
      const values = (field: string) =>
        event.split(/\r?\n/).flatMap((line) => {
          const found = line.startsWith(`${field}:`) ? line.slice(field.length + 1) : undefined;
          return found === undefined ? [] : [found.replace(/^ /, "")];
        });
      yield { type: values("event").at(-1) ?? "message", data: values("data").join("\n") };
    }
  }
}
