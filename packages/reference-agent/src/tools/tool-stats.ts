import type { JsonObject } from "@signalbox/protocol/wire";

/** How a subagent used its tools, for the result of its call. */
export interface ToolStats {
  readCount: number;
  searchCount: number;
  bashCount: number;
  editFileCount: number;
  linesAdded: number;
  linesRemoved: number;
  otherToolCount: number;
}

const groups: Readonly<
  Record<string, "readCount" | "searchCount" | "bashCount" | "editFileCount">
> = {
  Read: "readCount",
  Glob: "searchCount",
  Grep: "searchCount",
  Bash: "bashCount",
  Edit: "editFileCount",
  Write: "editFileCount",
  NotebookEdit: "editFileCount",
};

/** Counts the calls of a model, without those of its subagents. */
export class ToolCounter {
  #calls = 0;
  readonly #stats: ToolStats = {
    readCount: 0,
    searchCount: 0,
    bashCount: 0,
    editFileCount: 0,
    linesAdded: 0,
    linesRemoved: 0,
    otherToolCount: 0,
  };

  /** The number of its own calls. */
  get calls(): number {
    return this.#calls;
  }

  add(name: string, input: JsonObject): void {
    this.#calls++;
    if (name === "Agent") return;
    this.#stats[groups[name] ?? "otherToolCount"]++;
    if (groups[name] !== "editFileCount") return;
    const { new_string, content, new_source, old_string } = input;
    this.#stats.linesAdded += lines(new_string) + lines(content) + lines(new_source);
    this.#stats.linesRemoved += lines(old_string);
  }

  /** Returns the statistics; undefined if nothing was done. */
  report(): ToolStats | undefined {
    const { linesAdded: _, linesRemoved: __, ...counts } = this.#stats;
    return Object.values(counts).some((count) => count > 0) ? { ...this.#stats } : undefined;
  }
}

const lines = (text: unknown): number =>
  typeof text === "string" && text !== "" ? text.split("\n").length : 0;
