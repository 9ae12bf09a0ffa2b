import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { NewSession } from "@signalbox/api";
import { until } from "@signalbox/testing/until";
import { person, EngineStage } from "@signalbox/testing/engine-stage";
import type { Ground, HostileRepository } from "./hostile.ts";

const COMMAND = `::tool Bash ${JSON.stringify({ command: "whoami", description: "who" })}\n::say done`;

/** A stage for hostile repositories: a folder for each, a false model, and a person who allows everything. */
export class Grounds implements AsyncDisposable {
  readonly stage: EngineStage;
  /** Requests that reached the false model, with their headers. */
  readonly ledAstray: string[] = [];
  readonly #decoy: ReturnType<typeof Bun.serve>;
  #count = 0;

  static async open(): Promise<Grounds> {
    return new Grounds(await EngineStage.open());
  }

  private constructor(stage: EngineStage) {
    this.stage = stage;
    this.#decoy = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        this.ledAstray.push(JSON.stringify([request.url, ...request.headers]));
        return new Response("{}", { status: 401 });
      },
    });
  }

  plant(repository: Pick<HostileRepository, "plant">): Ground {
    const place = join(this.stage.place, `repository-${++this.#count}`);
    // Canaries lie outside of every folder that brings something: what a command names in there is part of it.
    const [folder, canaries] = [join(place, "above", "work"), join(place, "canaries")];
    for (const path of [folder, canaries]) mkdirSync(path, { recursive: true });
    const ground = { folder, canaries, decoy: `http://127.0.0.1:${this.#decoy.port}` };
    repository.plant(ground);
    return ground;
  }

  /** A whole run: started, one command that is allowed, and ended. What it left behind is on the ground. */
  async run(session: string): Promise<void> {
    const { stage } = this;
    const { id } = await stage.send(session, COMMAND);
    await until(
      `the run of ${session} is through`,
      async () => {
        for (const ask of stage.engine.asks.list()) {
          if (ask.session === session) await stage.allow(ask).catch(() => {});
        }
        if (this.ledAstray.length > 0) return true; // it asks the false model again and again
        const { summary, queue, state } = stage.engine.sessions.get(session);
        const taken = !queue.some((prompt) => prompt.id === id);
        return state === "crashed" || (taken && summary.turns > 0 && summary.status === "idle");
      },
      { seen: () => stage.engine.sessions.get(session) },
    );
    await stage.engine.sessions.stop(session, person);
  }

  async session(ground: Ground, options: Partial<NewSession>): Promise<string> {
    const { folder } = ground;
    const confirmed = options.policy === "autonomous" ? { confirmed: true as const } : {};
    return (await this.stage.create({ ...options, ...confirmed, folder })).id;
  }

  canaries({ canaries }: Ground): string[] {
    return readdirSync(canaries);
  }

  forget({ canaries }: Ground): void {
    rmSync(canaries, { recursive: true });
    mkdirSync(canaries);
    this.ledAstray.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stage[Symbol.asyncDispose]();
    await this.#decoy.stop(true);
  }
}
