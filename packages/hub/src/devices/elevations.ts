import { steadyNow } from "./steady-clock.ts";
import { randomUUID } from "node:crypto";
import type { ElevationView } from "@signalbox/protocol";
import { claimedBy, fits, hashOf, newSecret } from "./secrets.ts";
import { twoWords } from "./words.ts";

/** How long a terminal waits for its confirmation. */
const WAIT = 5 * 60 * 1000;
/** A terminal that has not been heard of for so long is over. */
const IDLE = 5 * 60 * 1000;
const LONGEST = 12 * 60 * 60 * 1000;
/** A device that asks again and again does not fill the approver's screen. */
const MOST_OF_ONE = 3;

interface Elevation {
  readonly id: string;
  readonly device: string;
  readonly name: string;
  readonly words: string;
  readonly at: number;
  status: "waiting" | "confirmed" | "refused";
  /** From the confirmation until it has been told. */
  untold: string | undefined;
  hash: string | undefined;
  usedAt: number;
}

/**
 * Terminals that may approve for as long as they run. In memory alone: the hub's end is their end, and
 * there is nothing in a file with which an agent could approve.
 */
export class Elevations {
  readonly #now: () => number;
  readonly #all = new Map<string, Elevation>();
  readonly #changed: () => void;

  constructor(changed: () => void, now: () => number = steadyNow) {
    this.#changed = changed;
    this.#now = now;
  }

  ask(device: string, name: string): ElevationView {
    const own = [...this.#all.values()].filter((e) => e.device === device);
    const waiting = own.filter((e) => this.#statusOf(e) === "waiting");
    for (const old of waiting.slice(0, waiting.length - MOST_OF_ONE + 1)) this.#all.delete(old.id);
    const at = this.#now();
    const id = randomUUID();
    const words = twoWords();
    const elevation: Elevation = {
      id,
      device,
      name,
      words,
      at,
      status: "waiting",
      untold: undefined,
      hash: undefined,
      usedAt: at,
    };
    this.#all.set(id, elevation);
    this.#changed();
    return this.#view(elevation);
  }

  /** False: it does not wait any more. */
  decide(id: string, confirm: boolean): boolean {
    const elevation = this.#all.get(id);
    if (!elevation || this.#statusOf(elevation) !== "waiting") return false;
    elevation.status = confirm ? "confirmed" : "refused";
    elevation.usedAt = this.#now();
    if (confirm) {
      elevation.untold = newSecret("elevation", id);
      elevation.hash = hashOf(elevation.untold);
    }
    this.#changed();
    return true;
  }

  find(id: string): (ElevationView & { device: string }) | undefined {
    const elevation = this.#all.get(id);
    return elevation && { ...this.#view(elevation), device: elevation.device };
  }

  /** Tells the token, once, to the device that asked. */
  claim(id: string, device: string): ElevationView | undefined {
    const elevation = this.#all.get(id);
    if (!elevation || elevation.device !== device) return undefined;
    const view = this.#view(elevation);
    if (view.status !== "confirmed" || elevation.untold === undefined) return view;
    const token = elevation.untold;
    elevation.untold = undefined;
    return { ...view, token };
  }

  waiting(): ElevationView[] {
    this.#forgetOld();
    return [...this.#all.values()].map((e) => this.#view(e)).filter((e) => e.status === "waiting");
  }

  /** The elevation of this token, and the device that it lifts. */
  authenticate(token: string): { id: string; device: string; name: string } | undefined {
    const claim = claimedBy(token);
    const elevation = claim?.kind === "elevation" ? this.#all.get(claim.id) : undefined;
    if (!fits(token, elevation?.hash) || !elevation) return undefined;
    return this.use(elevation.id) ? elevation : undefined;
  }

  /** Whether it still holds; whoever asks shows that its terminal is there. */
  use(id: string): boolean {
    const elevation = this.#all.get(id);
    if (elevation?.status !== "confirmed" || this.#isOver(elevation)) return false;
    elevation.usedAt = this.#now();
    return true;
  }

  dropOf(device: string): void {
    const own = [...this.#all.values()].filter((e) => e.device === device);
    for (const { id } of own) this.#all.delete(id);
    if (own.length > 0) this.#changed();
  }

  #isOver(elevation: Elevation): boolean {
    const now = this.#now();
    return now - elevation.usedAt >= IDLE || now - elevation.at >= LONGEST;
  }

  #statusOf(elevation: Elevation): ElevationView["status"] {
    const late = this.#now() - elevation.at >= WAIT;
    if (elevation.status === "waiting") return late ? "expired" : "waiting";
    return this.#isOver(elevation) ? "expired" : elevation.status;
  }

  #view(elevation: Elevation): ElevationView {
    const { id, name, words, at } = elevation;
    return { id, name, words, at, status: this.#statusOf(elevation) };
  }

  #forgetOld(): void {
    for (const [id, e] of this.#all) if (this.#statusOf(e) === "expired") this.#all.delete(id);
  }
}
