import { randomUUID } from "node:crypto";
import { type ElevationView, elevationText } from "@signalbox/api";
import { verifySignature } from "@signalbox/runner/keys";
import { steadyNow } from "../steady-clock.ts";
import { createComparisonWords } from "./comparison-words.ts";

/** How long a terminal waits for its confirmation. */
const WAIT_MS = 5 * 60 * 1000;
/** A terminal that has not been heard of for so long is over. */
const IDLE_MS = 5 * 60 * 1000;
const MAX_LIFETIME_MS = 12 * 60 * 60 * 1000;
/** A device that asks again and again does not fill the approver's screen. */
const MAX_WAITING_PER_DEVICE = 3;

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
    const waiting = own.filter((e) => this.#getStatus(e) === "waiting");
    for (const old of waiting.slice(0, waiting.length - MAX_WAITING_PER_DEVICE + 1))
      this.#all.delete(old.id);
    const at = this.#now();
    const id = randomUUID();
    const words = createComparisonWords();
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
    if (!elevation || this.#getStatus(elevation) !== "waiting") return false;
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
    if (!elevation || this.#getStatus(elevation) !== "waiting") return false;
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

  listWaiting(): ElevationView[] {
    this.#forgetOld();
    return [...this.#all.values()].map((e) => this.#view(e)).filter((e) => e.status === "waiting");
  }

  listConfirmed(): ConfirmedTerminal[] {
    return [...this.#all.values()].flatMap((elevation) => {
      const { id, publicKey, confirmedBy } = elevation;
      return confirmedBy && !this.#isOver(elevation) ? [{ id, publicKey, confirmedBy }] : [];
    });
  }

  /** A terminal that may approve, and the device that it lifts. */
  findActive(
    id: string,
  ): { id: string; device: string; name: string; publicKey: string } | undefined {
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
  removeDevice(device: string): void {
    const own = [...this.#all.values()].filter(
      (e) => e.device === device || e.confirmedBy?.device === device,
    );
    for (const { id } of own) this.#all.delete(id);
    if (own.length > 0) this.#changed();
  }

  #isOver(elevation: Elevation): boolean {
    const now = this.#now();
    return now - elevation.usedAt >= IDLE_MS || now - elevation.at >= MAX_LIFETIME_MS;
  }

  #getStatus(elevation: Elevation): ElevationView["status"] {
    const late = this.#now() - elevation.at >= WAIT_MS;
    if (elevation.status === "waiting") return late ? "expired" : "waiting";
    return this.#isOver(elevation) ? "expired" : elevation.status;
  }

  #view(elevation: Elevation): ElevationView {
    const { id, name, words, at, publicKey } = elevation;
    return { id, name, words, at, publicKey, status: this.#getStatus(elevation) };
  }

  #forgetOld(): void {
    for (const [id, e] of this.#all) if (this.#getStatus(e) === "expired") this.#all.delete(id);
  }
}
