import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WORDS = 5000;
const DAY_MS = 24 * 3_600_000;

/** A source of numbers that is the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** A word of a vocabulary in which few words are frequent, as in any language. */
export function pickWord(random: () => number): string {
  return `word${Math.floor(WORDS * random() ** 3)}`;
}

/** The word that occurs in one message alone. */
export function getRareWord(session: number, message: number): string {
  return `needle${session}x${message}`;
}

/** Writes transcripts as Claude Code does: prompts, calls with long results, answers. Returns their bytes. */
export function writeTranscript(projects: string, session: number, bytes: number): number {
  const random = createRandom(session + 1);
  const sentence = (words: number) =>
    Array.from({ length: words }, () => pickWord(random)).join(" ");
  const id = `00000000-0000-4000-8000-${String(session).padStart(12, "0")}`;
  const folder = `/work/project${session % 20}`;
  const base = { sessionId: id, cwd: folder, version: "2.1.325", isSidechain: false };
  const lines: string[] = [];
  const written = { size: 0 };
  let [message, parent] = [0, null as string | null];
  const add = (entry: object) => {
    const uuid = `${String(session).padStart(8, "0")}-0000-4000-8000-${String(message).padStart(12, "0")}`;
    const timestamp = new Date(Date.UTC(2026, 0, 1) + session * 60_000 + message * 1000);
    const line = JSON.stringify({ parentUuid: parent, uuid, timestamp, ...base, ...entry });
    written.size += line.length + 1;
    [parent, message] = [uuid, message + 1];
    lines.push(line);
  };
  while (written.size < bytes) {
    const call = `toolu_${session}_${message}`;
    add({ type: "user", message: { role: "user", content: `${sentence(30)}.` } });
    add({
      type: "assistant",
      message: {
        id: `msg_${session}_${message}`,
        role: "assistant",
        model: "claude-opus-5-5",
        stop_reason: "tool_use",
        content: [{ type: "tool_use", id: call, name: "Bash", input: { command: sentence(8) } }],
      },
    });
    const output = Array.from({ length: 60 }, () => sentence(8)).join("\n");
    add({
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: call, content: output }],
      },
      toolUseResult: { stdout: output, stderr: "", interrupted: false },
    });
    add({
      type: "assistant",
      message: {
        id: `msg_${session}_${message}`,
        role: "assistant",
        model: "claude-opus-5-5",
        stop_reason: "end_turn",
        content: [{ type: "text", text: `${sentence(120)} ${getRareWord(session, message)}` }],
      },
    });
  }
  const path = join(projects, `-work-project${session % 20}`);
  mkdirSync(path, { recursive: true });
  const file = join(path, `${id}.jsonl`);
  writeFileSync(file, `${lines.join("\n")}\n`);
  const at = new Date(Date.now() - DAY_MS - session * 60_000);
  utimesSync(file, at, at);
  return written.size;
}
