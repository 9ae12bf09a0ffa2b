import { randomUUID } from "node:crypto";
import { type ElevationView, elevationText } from "@signalbox/api";
import { verifySignature } from "@signalbox/runner/keys";
import { steadyNow } from "./steady-clock.ts";
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
  /** The command line's, which all terminals share. */
  readonly device: string;
  readonly name: string;
  readonly words: string;
  readonly publicKey: string;
  readonly at: number;
  status: "waiting" | "confirmed" | "refused";
  confirmedBy: Confirmation | undefined;
  usedAt: number;
}

/** An approver's device has signed that this terminal's key may approve. */
export interface Confirmation {
  readonly device: string;
  readonly signature: string;
}

/** A terminal that may approve, as a runner needs it to check the terminal's signatures. */
export interface ConfirmedTerminal {
  readonly id: string;
  readonly publicKey: string;
  readonly confirmedBy: Confirmation;
}

/**
 * Terminals that may approve for as long as they run. A terminal makes a key pair in its own memory, and
 * an approver's device signs the public key: nothing is handed out that somebody else could claim, and
 * nothing in a file lets an agent approve. In memory here, too: the hub's end is their end.
 */
export class Elevations {
  readonly #now: () => number;
  readonly #all = new Map<string, Elevation>();
  readonly #changed: () => void;

  constructor(changed: () => void, now: () => number = steadyNow) {
    this.#changed = changed;
    this.#now = now;
  }

  ask(device: string, name: string, publicKey: string): ElevationView {
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
      publicKey,
      at,
      status: "waiting",
      confirmedBy: undefined,
      usedAt: at,
    };
    this.#all.set(id, elevation);
    this.#changed();
    return this.#view(elevation);
  }

  /** False: it does not wait any more. */
  refuse(id: string): boolean {
    const elevation = this.#all.get(id);
    if (!elevation || this.#statusOf(elevation) !== "waiting") return false;
    elevation.status = "refused";
    this.#changed();
    return true;
  }

  /** Whether the device with this key has signed this terminal's. */
  isSignedBy(id: string, key: string, signature: string): boolean {
    const elevation = this.#all.get(id);
    return !!elevation && verifySignature(key, elevationText(id, elevation.publicKey), signature);
  }

  /** After its signature has been checked. False: it does not wait any more. */
  confirm(id: string, by: Confirmation): boolean {
    const elevation = this.#all.get(id);
    if (!elevation || this.#statusOf(elevation) !== "waiting") return false;
    elevation.status = "confirmed";
    elevation.confirmedBy = by;
    elevation.usedAt = this.#now();
    this.#changed();
    return true;
  }

  find(id: string): (ElevationView & { device: string }) | undefined {
    const elevation = this.#all.get(id);
    return elevation && { ...this.#view(elevation), device: elevation.device };
  }

  waiting(): ElevationView[] {
    this.#forgetOld();
    return [...this.#all.values()].map((e) => this.#view(e)).filter((e) => e.status === "waiting");
  }

  confirmed(): ConfirmedTerminal[] {
    return [...this.#all.values()].flatMap((elevation) => {
      const { id, publicKey, confirmedBy } = elevation;
      return confirmedBy && !this.#isOver(elevation) ? [{ id, publicKey, confirmedBy }] : [];
    });
  }

  /** A terminal that may approve, and the device that it lifts. */
  active(id: string): { id: string; device: string; name: string; publicKey: string } | undefined {
    const elevation = this.#all.get(id);
    return elevation?.status === "confirmed" && !this.#isOver(elevation) ? elevation : undefined;
  }

  /** Whether it still holds; whoever asks shows that its terminal is there. */
  use(id: string): boolean {
    const elevation = this.#all.get(id);
    if (elevation?.status !== "confirmed" || this.#isOver(elevation)) return false;
    elevation.usedAt = this.#now();
    return true;
  }

  /** What a device asked for or confirmed goes with it. */
  dropOf(device: string): void {
    const own = [...this.#all.values()].filter(
      (e) => e.device === device || e.confirmedBy?.device === device,
    );
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
    const { id, name, words, at, publicKey } = elevation;
    return { id, name, words, at, publicKey, status: this.#statusOf(elevation) };
  }

  #forgetOld(): void {
    for (const [id, e] of this.#all) if (this.#statusOf(e) === "expired") this.#all.delete(id);
  }
}
