import { randomUUID } from "node:crypto";
import type { ElevationView } from "@signalbox/api";
import { elevationText } from "@signalbox/api/proof";
import { verifySignature } from "@signalbox/runner/keys";
import { steadyNow } from "../clocks.ts";
import { createComparisonWords } from "./comparison-words.ts";

/** How long a terminal waits for its confirmation. */
const WAIT_MS = 5 * 60 * 1000;
/** A terminal that has not been heard from for this long loses its elevation. */
const IDLE_MS = 5 * 60 * 1000;
const MAX_LIFETIME_MS = 12 * 60 * 60 * 1000;
/** How many elevations a device may wait for, so that it cannot fill the approver's screen. */
const MAX_WAITING_PER_DEVICE = 3;

interface Elevation {
  readonly id: string;
  /** The command line's device, which all terminals share. */
  readonly device: string;
  readonly name: string;
  readonly words: string;
  readonly role: ElevationView["role"];
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

/** A terminal that may approve, with what a runner needs to verify its signatures. */
interface ConfirmedTerminal {
  readonly id: string;
  readonly publicKey: string;
  readonly confirmedBy: Confirmation;
}

/**
 * Terminals that may approve for as long as they run. A terminal makes a key pair in its own memory, and an
 * approver's device signs the public key. So nothing is handed out that somebody else could claim, and no
 * file lets an agent approve. Elevations are held in memory and end with the hub.
 */
export class Elevations {
  readonly #now: () => number;
  readonly #all = new Map<string, Elevation>();
  readonly #changed: () => void;

  constructor(changed: () => void, now: () => number = steadyNow) {
    this.#changed = changed;
    this.#now = now;
  }

  ask(
    device: string,
    { name, publicKey, role }: Pick<ElevationView, "name" | "publicKey" | "role">,
  ): ElevationView {
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
      role,
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

  /** Refuses an elevation. Returns false if it does not wait any more. */
  refuse(id: string): boolean {
    const elevation = this.#all.get(id);
    if (!elevation || this.#getStatus(elevation) !== "waiting") return false;
    elevation.status = "refused";
    this.#changed();
    return true;
  }

  /** Whether the device with this key has signed this terminal's key. */
  isSignedBy(id: string, key: string, signature: string): boolean {
    const elevation = this.#all.get(id);
    return !!elevation && verifySignature(key, elevationText(id, elevation.publicKey), signature);
  }

  /**
   * Confirms an elevation after its signature has been checked. Returns false if it does not wait any more.
   */
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

  /** The terminal that may approve, and its device. */
  findActive(
    id: string,
  ): Pick<Elevation, "id" | "device" | "name" | "role" | "publicKey"> | undefined {
    const elevation = this.#all.get(id);
    return elevation?.status === "confirmed" && !this.#isOver(elevation) ? elevation : undefined;
  }

  /** Whether the elevation is still valid. Asking shows that its terminal is still there. */
  use(id: string): boolean {
    const elevation = this.#all.get(id);
    if (elevation?.status !== "confirmed" || this.#isOver(elevation)) return false;
    elevation.usedAt = this.#now();
    return true;
  }

  /** Ends all elevations that a device requested or confirmed. */
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
    const { id, name, words, role, at, publicKey } = elevation;
    return { id, name, words, role, at, publicKey, status: this.#getStatus(elevation) };
  }

  #forgetOld(): void {
    for (const [id, e] of this.#all) if (this.#getStatus(e) === "expired") this.#all.delete(id);
  }
}
