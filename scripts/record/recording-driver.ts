import { type Line, lineText } from "@signalbox/protocol";
import type { Driver, Run } from "@signalbox/host";

/** One row of a recording: a line as parsed, a line that is no JSON, or a remark of ours. */
export type Row =
  | { from: "agent" | "host"; line: unknown }
  | { from: "agent" | "host"; raw: string }
  | { from: "host"; note: string };

/** A driver whose runs leave every line, both ways and in order, in `rows`. */
export function recordingDriver(driver: Driver, rows: Row[]): Driver {
  const start: Driver["start"] = async (launch) => tapped(await driver.start(launch), rows);
  return { ...driver, start };
}

function tapped(run: Run, rows: Row[]): Run {
  return {
    ...run,
    get stderr() {
      return run.stderr;
    },
    incoming: tap(run.incoming, rows),
    send(line) {
      rows.push(createRow("host", line));
      return run.send(line);
    },
  };
}

async function* tap(incoming: Run["incoming"], rows: Row[]): AsyncGenerator<readonly Line[]> {
  for await (const batch of incoming) {
    for (const line of batch) rows.push(createRow("agent", lineText(line)));
    yield batch;
  }
}

function createRow(from: "agent" | "host", text: string): Row {
  try {
    return { from, line: JSON.parse(text) as unknown };
  } catch {
    return { from, raw: text };
  }
}
