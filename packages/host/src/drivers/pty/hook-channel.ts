import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { WorkFolder } from "../../isolation/isolation.ts";
import { openPrivateFolder } from "../../sandbox/private-folder.ts";
import { runtimeCommand } from "../../system/runtime-command.ts";

/** Bun runs this file as a source; as a built file it runs on the runtime of this process. */
const CLIENT = fileURLToPath(
  new URL(`./hook-client.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url),
);
const SOCKET = "hook.sock";
/** Where the folder of the socket is inside of an isolation. */
const FOLDER_INSIDE = "/dev/signalbox-hooks";
/** A hook's input holds a tool's input and result. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** The same for all calls together that are still being read: they are held in memory. */
const MAX_ALL_CHARACTERS = 128 * 1024 * 1024;
/** Hooks that are asked at the same time. An agent runs several tools at once. */
const MAX_CALLS = 64;

/** Answers one call of a hook. The signal is aborted when the agent no longer waits. */
type AnswerHook = (input: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

/**
 * The way from the hooks of one run to the runner. Through it a hook can be asked about and
 * answered, and nothing else. It belongs to this run: other agents do not see the socket.
 */
export class HookChannel implements Disposable {
  readonly folder: string;
  readonly #server: Server;
  readonly #calls = new Set<Socket>();
  readonly #answer: AnswerHook;
  #charactersInReading = 0;

  static async open(answer: AnswerHook): Promise<HookChannel> {
    const channel = new HookChannel(mkdtempSync(join(openPrivateFolder(), "hooks-")), answer);
    channel.#server.listen(join(channel.folder, SOCKET));
    await once(channel.#server, "listening");
    channel.#server.unref();
    return channel;
  }

  private constructor(folder: string, answer: AnswerHook) {
    this.folder = folder;
    this.#answer = answer;
    this.#server = createServer((call) => this.#accept(call));
  }

  /**
   * The folder of the socket, as agents see it. It is read-only, so that no command of the agent puts a socket of
   * its own there, which would answer the hooks.
   */
  get work(): WorkFolder {
    return { path: this.folder, inside: FOLDER_INSIDE, isReadOnly: true };
  }

  /** The command of a hook, for a shell. `isRequired`: the agent must not go on without an answer. */
  command(isInside: boolean, isRequired: boolean): string {
    const socket = join(isInside ? FOLDER_INSIDE : this.folder, SOCKET);
    const words = [...runtimeCommand(), CLIENT, socket, ...(isRequired ? ["required"] : [])];
    return words.map(quoteWord).join(" ");
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const call of this.#calls) call.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #accept(call: Socket): void {
    if (this.#calls.size >= MAX_CALLS) return void call.destroy();
    this.#calls.add(call);
    const gone = new AbortController();
    let text = "";
    let isAsked = false;
    call.setEncoding("utf8");
    call.on("error", () => call.destroy());
    call.on("end", () => call.destroy()); // the hook was ended by the agent
    call.on("close", () => {
      this.#calls.delete(call);
      if (!isAsked) this.#charactersInReading -= text.length;
      gone.abort();
    });
    call.on("data", (piece: string) => {
      if (isAsked || call.destroyed) return;
      text += piece;
      this.#charactersInReading += piece.length;
      const isTooMuch = this.#charactersInReading > MAX_ALL_CHARACTERS;
      if (text.length > MAX_CHARACTERS || isTooMuch) call.destroy();
      if (call.destroyed || !piece.includes("\n")) return;
      isAsked = true;
      this.#charactersInReading -= text.length;
      void this.#onInput(text, call, gone.signal);
    });
  }

  async #onInput(text: string, call: Socket, signal: AbortSignal): Promise<void> {
    try {
      const input: unknown = JSON.parse(text);
      const answer = isObject(input) ? await this.#answer(input, signal) : {};
      if (!signal.aborted) call.end(`${JSON.stringify(answer)}\n`);
    } catch {
      call.destroy();
    }
  }
}

/** A word as a POSIX shell reads it back. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
