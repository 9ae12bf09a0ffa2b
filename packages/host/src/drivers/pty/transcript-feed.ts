import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { TranscriptLine, TurnState } from "@signalbox/protocol/transcript";
import { TranscriptReader } from "@signalbox/protocol/transcript";
import { TranscriptFollower } from "../../transcripts/follow-transcript.ts";
import {
  getProjectName,
  isTranscriptName,
  TranscriptFiles,
  type TranscriptPlace,
} from "../../transcripts/transcript-files.ts";
import type { Launch } from "../../launch/launch.ts";

/** How long it is waited, after the program has told that a turn is over, for its last lines. */
const LAST_LINES_MS = 3000;
const LOOK_MS = 50;

interface TranscriptFeedOptions {
  readonly onLines: (lines: readonly TranscriptLine[]) => void;
  readonly onTurn: (isInTurn: boolean) => void;
  /** The transcript is another file now, is shorter than what was read, or is gone. */
  readonly onChanged: (how: "replaced" | "truncated" | "deleted") => void;
  readonly onFailure: (failure: unknown) => void;
}

/** What the program of one run adds to its transcript. It may go on in another file, as after `/clear`. */
export class TranscriptFeed {
  readonly #options: TranscriptFeedOptions;
  readonly #configFolder: string;
  #place: TranscriptPlace;
  #follower: TranscriptFollower | undefined;
  #stop = new AbortController();
  #following: Promise<void> = Promise.resolve();
  #running: Promise<void> = Promise.resolve();
  #turn: TurnState = "none";

  constructor(
    folder: string,
    sessionId: string,
    env: Readonly<Record<string, string>>,
    options: TranscriptFeedOptions,
  ) {
    this.#options = options;
    this.#configFolder = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude");
    this.#place = { configFolder: this.#configFolder, project: getProjectName(folder), sessionId };
  }

  /** Reads what is there already, which was shown when it happened. Call it before the start. */
  async start({ resume }: Pick<Launch, "resume">): Promise<void> {
    await this.#follow(resume?.fork === true ? await this.#readKnown(resume.id) : undefined);
  }

  /** The program says where its transcript is. */
  onPlace(path: unknown): void {
    if (typeof path !== "string" || !path.endsWith(".jsonl")) return;
    const named = {
      project: basename(dirname(path)),
      sessionId: basename(path, ".jsonl"),
    };
    const { project, sessionId } = this.#place;
    if (!isTranscriptName(named)) return;
    if (named.project === project && named.sessionId === sessionId) return;
    const before = this.#stop;
    this.#place = { configFolder: this.#configFolder, ...named };
    this.#stop = new AbortController();
    before.abort();
    const last = this.#following;
    this.#following = last.then(() => this.#follow(undefined));
  }

  lookNow(): void {
    this.#follower?.lookNow();
  }

  /** The program has told that the turn is over. Its last lines may still be on their way. */
  async endTurn(): Promise<void> {
    const follower = this.#follower;
    if (!follower) return;
    const isOpen = () => this.#turn === "none" || this.#turn === "working";
    for (let waited = 0; waited < LAST_LINES_MS && isOpen(); waited += LOOK_MS) {
      follower.lookNow();
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    follower.endTurn();
  }

  /** Reads the rest, ends the turn, and stops following. */
  async end(): Promise<void> {
    await this.#following;
    this.#stop.abort();
    await this.#running;
  }

  async #follow(known: TranscriptReader | undefined): Promise<void> {
    const { signal } = this.#stop;
    const follower = new TranscriptFollower(new TranscriptFiles(this.#place), {
      signal,
      ...(known && { isStored: (uuid) => known.converter.hasSeen(uuid) }),
      now: Date.now,
    });
    for await (const _ of follower.reader.read());
    follower.reader.endTurn();
    this.#follower = follower;
    const before = this.#running;
    this.#running = before.then(() => this.#read(follower));
  }

  async #read(follower: TranscriptFollower): Promise<void> {
    const { onLines, onTurn, onChanged, onFailure } = this.#options;
    try {
      for await (const { lines, changed } of follower.batches()) {
        if (changed) onChanged(changed);
        if (lines.length > 0) onLines(lines);
        const { turn } = follower.reader.converter;
        if (turn === this.#turn) continue;
        this.#turn = turn;
        onTurn(turn === "working" || turn === "wrote" || turn === "answered");
      }
    } catch (failure) {
      onFailure(failure);
    }
  }

  /** The messages of the conversation of which this one is a copy. */
  async #readKnown(sessionId: string): Promise<TranscriptReader> {
    const reader = new TranscriptReader(new TranscriptFiles({ ...this.#place, sessionId }));
    for await (const _ of reader.read());
    return reader;
  }
}
