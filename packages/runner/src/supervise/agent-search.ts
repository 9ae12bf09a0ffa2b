import { lookForAgent } from "@signalbox/host/agents";
import type { Isolation } from "@signalbox/host/isolation";
import { WorkQueue } from "./work-queue.ts";

/** How many programs are asked for their version at a time. Each may be a whole agent that starts. */
const MAX_PROBES = 4;
/** How long an answer counts. It is short, because behind a shim another version may be in force soon. */
const KEPT_MS = 5000;

type Found = Awaited<ReturnType<typeof lookForAgent>>;
type Look = (path: string | undefined) => Promise<Found>;

/**
 * Finds agents' programs for the hub. Everybody who may look at the list of agents causes searches, and each
 * starts a program, so equal ones share an answer and only a few programs run at a time.
 */
export class AgentSearch {
  readonly #look: Look;
  readonly #now: () => number;
  readonly #answers = new Map<string, { readonly found: Promise<Found>; endedAt?: number }>();
  readonly #probes = new WorkQueue<Found>({ maxRunning: MAX_PROBES });

  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    isolation: Isolation | undefined,
    look: Look = (path) => lookForAgent(path, environment, isolation),
    now: () => number = () => performance.now(),
  ) {
    this.#look = look;
    this.#now = now;
  }

  find(path: string | undefined): Promise<Found> {
    this.#forgetOld();
    const key = path ?? "";
    const known = this.#answers.get(key);
    if (known) return known.found;
    const found = this.#probes.run(key, () => this.#look(path));
    const answer: { found: Promise<Found>; endedAt?: number } = { found };
    this.#answers.set(key, answer);
    const end = () => void (answer.endedAt = this.#now());
    answer.found.then(end, end);
    return answer.found;
  }

  #forgetOld(): void {
    const now = this.#now();
    for (const [key, { endedAt }] of this.#answers) {
      if (endedAt !== undefined && now - endedAt >= KEPT_MS) this.#answers.delete(key);
    }
  }
}
