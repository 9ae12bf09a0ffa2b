import type { RunnerLinks } from "../link/runner-links.ts";
import { HubRefusal } from "../refusal.ts";

/** The drivers of a runner that has not said which it has. */
const standardDrivers: readonly string[] = ["stdio", "sdk", "sdk-url"];

/** The drivers of the machines, as their runners report them. Packages may bring drivers of their own. */
export class DriverCatalog {
  readonly #links: Pick<RunnerLinks, "get" | "listOpen">;

  constructor(links: Pick<RunnerLinks, "get" | "listOpen">) {
    this.#links = links;
  }

  /** Refuses a driver that this machine, or without a machine any of them, does not have. */
  requireKnown(driver: string, runner?: string): void {
    const known = this.#list(runner);
    if (known.includes(driver)) return;
    const detail = `The driver "${driver}" does not exist${runner === undefined ? "" : " on this machine"}. Choose one of: ${known.join(", ")}.`;
    throw new HubRefusal(422, "no-such-driver", detail);
  }

  /** The driver of a machine whose agents show themselves in a terminal. Refuses if there is none. */
  requireTerminal(runner: string): string {
    const drivers = this.#links.get(runner)?.drivers ?? [];
    const found = drivers.find(({ capabilities }) => capabilities["terminal"] === true);
    if (found) return found.name;
    const detail =
      "This machine has no driver that runs Claude Code in its own terminal. Connect the machine, or update Signalbox on it.";
    throw new HubRefusal(422, "no-such-driver", detail);
  }

  /** Whether agents of this driver show themselves in a terminal. */
  hasTerminal(driver: string, runner: string): boolean {
    const found = this.#links.get(runner)?.drivers?.find(({ name }) => name === driver);
    return found?.capabilities["terminal"] === true;
  }

  #list(runner: string | undefined): readonly string[] {
    if (runner !== undefined) {
      return this.#links.get(runner)?.drivers?.map(({ name }) => name) ?? standardDrivers;
    }
    const reported = this.#links
      .listOpen()
      .flatMap(({ drivers }) => drivers?.map(({ name }) => name) ?? []);
    return [...new Set([...standardDrivers, ...reported])];
  }
}
