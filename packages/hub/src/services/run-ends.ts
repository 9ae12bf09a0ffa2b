import { HubRefusal } from "../refusal.ts";
import { createRunnerAwayRefusal, type RunnerLink } from "../link/runner-link.ts";
import type { Session } from "../session/session.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";
import { SingleFlight } from "./single-flight.ts";

/** Ends runs, each once, whoever asks for it. */
export class RunEnds {
  readonly #store: Pick<Store, "commit">;
  /** By run. */
  readonly #ending = new SingleFlight<void>();

  constructor(store: Pick<Store, "commit">) {
    this.#store = store;
  }

  /** Ends the run and waits until that is stored. `park`: the session is to be started again. */
  async end(session: Session, by: { readonly name: string }, park: boolean): Promise<void> {
    const { run } = session.row;
    if (!session.alive || run === null) return;
    await this.#ending.run(run, async () => {
      const order = { kind: "stop", session: session.id, run, park } as const;
      await requireLink(session).sendOrder(`${run}.stop`, order).catch(ignoreNotRunning);
      await session.waitForRunEnd();
      const what = park ? "parked" : "stopped";
      await this.#store.commit([createAuditChange(what, by, session.id, { run })]);
    });
  }
}

export function requireLink({ link }: Session): RunnerLink {
  if (!link) throw createRunnerAwayRefusal();
  return link;
}

export function ignoreNotRunning(why: unknown): void {
  if (!(why instanceof HubRefusal) || why.code !== "not-running") throw why;
}
