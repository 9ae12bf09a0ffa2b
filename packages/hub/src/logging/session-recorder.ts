import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { lineText } from "@signalbox/protocol";
import type { TimelineEvent } from "@signalbox/timeline";
import type { ReceivedLine } from "../link/received-line.ts";
import { openLogFile } from "./log-file.ts";

const MAX_BYTES = 64 * 1024 * 1024;
/** So many recordings are open at the same time; the one that was used last stays longest. */
const MAX_OPEN = 32;

type RecordingFile = ReturnType<typeof openLogFile>;

/**
 * Records what sessions receive, for tests and for reports of bugs: `raw-SESSION.jsonl` has the lines, which
 * `signalbox replay` reads, and `events-SESSION.jsonl` what the timeline makes of them. A file that is too large
 * continues in a new one, and each begins with a header.
 */
export class SessionRecorder {
  readonly #folder: string;
  readonly #version: string;
  readonly #files = new Map<string, RecordingFile>();

  constructor(folder: string, version: string) {
    this.#folder = folder;
    this.#version = version;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  recordLine(session: string, { from, at, run, seq, line }: ReceivedLine): void {
    this.#write("raw", session, { from, at, run, seq, raw: lineText(line) });
  }

  recordEvents(session: string, at: number, events: readonly TimelineEvent[]): void {
    for (const event of events) this.#write("events", session, { at, event });
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
  }

  #write(kind: "raw" | "events", session: string, row: object): void {
    const name = `${kind}-${session}.jsonl`;
    const file = this.#files.get(name) ?? this.#open(kind, name, session);
    this.#files.delete(name);
    this.#files.set(name, file);
    file.write(`${JSON.stringify(row)}\n`);
  }

  #open(kind: string, name: string, session: string): RecordingFile {
    const [oldest] = this.#files;
    if (this.#files.size >= MAX_OPEN && oldest) {
      oldest[1].close();
      this.#files.delete(oldest[0]);
    }
    const header = { recording: "signalbox", version: 1, kind, session, program: this.#version };
    return openLogFile(join(this.#folder, name), MAX_BYTES, `${JSON.stringify(header)}\n`);
  }
}
