import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startModel } from "@signalbox/model";
import { until } from "@signalbox/testing/until";
import { emptyEnvironment } from "../empty-environment.ts";

const bin = new URL("../../bin/signalbox-agent.mjs", import.meta.url).pathname;

export interface Started {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly columns?: number;
}

/**
 * Opens a home, a folder and a scripted model, in which the program runs on terminals of its own.
 */
export async function openTerminalStage(files: Readonly<Record<string, string>> = {}) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-terminal-")));
  const [home, folder] = [join(place, "home"), join(place, "work")];
  mkdirSync(home);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const model = await startModel({ script: "" });
  const started: Person[] = [];
  return {
    home,
    folder,
    model,
    trust: () => {
      const projects = { [folder]: { hasTrustDialogAccepted: true } };
      writeFileSync(join(home, ".claude.json"), JSON.stringify({ projects }));
    },
    start: ({ args = [], environment = {}, columns = 100, ...more }: Started = {}) => {
      const env = { ...emptyEnvironment(home, model.url), TERM: "xterm-256color", ...environment };
      const person = onTerminal(args, { env, columns, folder: more.folder ?? folder });
      started.push(person);
      return person;
    },
    async [Symbol.asyncDispose]() {
      for (const person of started) person.close();
      await model.close();
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface Person {
  readonly exited: Promise<number>;
  type(keys: string): void;
  /**
   * Resolves when this text was written, with everything written since the last call, and forgets
   * it.
   */
  sees(text: string): Promise<string>;
  /**
   * Closes the terminal. This does not happen when the program exits, because Bun reports that
   * before it delivers the last output.
   */
  close(): void;
}

/** Runs the program on a terminal of its own. */
export function onTerminal(
  args: readonly string[],
  { env, columns, folder }: { env: NodeJS.Dict<string>; columns: number; folder: string },
): Person {
  let seen = "";
  const decoder = new TextDecoder();
  const terminal = new Bun.Terminal({
    cols: columns,
    rows: 40,
    data(_, bytes) {
      seen += decoder.decode(bytes, { stream: true });
    },
  });
  const child = Bun.spawn([process.execPath, bin, ...args], { cwd: folder, env, terminal });
  return {
    exited: child.exited,
    close: () => terminal.close(),
    type: (keys) => void terminal.write(keys),
    async sees(text) {
      const what = `the terminal shows ${JSON.stringify(text)}`;
      await until(what, () => seen.includes(text), { seen: () => seen });
      const end = seen.indexOf(text) + text.length;
      const before = seen.slice(0, end);
      seen = seen.slice(end);
      return before;
    },
  };
}
