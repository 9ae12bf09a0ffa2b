import type { ProjectView } from "@signalbox/api";
import type { BoardListener } from "../fan-out/board-changes.ts";
import type { RunnerLink } from "../link/runner-link.ts";
import { isLimitedToAllowedFolders } from "../session/driver-limits.ts";
import type { Session } from "../session/session.ts";
import { SingleFlight } from "./single-flight.ts";

interface BranchesOptions {
  readonly changes: BoardListener;
  readonly findLink: (runner: string) => RunnerLink | undefined;
  readonly listSessions: () => readonly Session[];
  readonly listAllowedFolders: (runner: string) => readonly string[];
}

interface KnownBranch {
  readonly branch: string | undefined;
  /** The connection over which it was read: a machine that connects anew is asked again. */
  readonly link: RunnerLink;
  /** The turns that the folder's sessions had ended when it was asked for. */
  readonly turns: number;
}

/**
 * The Git branch of each project's folder. A machine is asked when somebody looks at the project, and again
 * when a turn has ended in it, because the agent may have changed the branch.
 */
export class Branches {
  readonly #options: BranchesOptions;
  readonly #known = new Map<string, KnownBranch>();
  readonly #reads = new SingleFlight<void>();

  constructor(options: BranchesOptions) {
    this.#options = options;
  }

  /** Reads the branch of a folder again, because somebody has switched it. */
  forget(project: Pick<ProjectView, "runner" | "folder">): void {
    this.#known.delete(getKey(project));
    this.#options.changes.hubChanged();
  }

  addTo(projects: readonly ProjectView[]): ProjectView[] {
    const shown = this.#options.listSessions().filter(({ row }) => !row.archived);
    const byProject = Map.groupBy(shown, ({ row }) => getKey(row));
    return projects.map((project) => {
      const branch = this.#get(project, byProject.get(getKey(project)) ?? []);
      return branch === undefined ? project : { ...project, branch };
    });
  }

  /** What is known of a folder's branch. What may have changed since is read again, and then published. */
  #get(project: ProjectView, sessions: readonly Session[]): string | undefined {
    const { runner, folder } = project;
    const key = getKey(project);
    const link = this.#options.findLink(runner);
    const known = this.#known.get(key);
    if (!link || link.isPreviousVersion) return known?.branch;
    const turns = sessions.reduce((sum, one) => sum + one.timelineSummary.turns, 0);
    if (known?.link !== link || known.turns !== turns) {
      const isLimited = sessions.every(({ row }) => isLimitedToAllowedFolders(row));
      const allowed = isLimited && { allowed: [...this.#options.listAllowedFolders(runner)] };
      const order = { kind: "read-branch", folder, ...allowed } as const;
      void this.#reads.run(key, async () => {
        const answer = await link.sendOrder(crypto.randomUUID(), order).catch(() => undefined);
        const branch = parseBranch(answer);
        this.#known.set(key, { branch, link, turns });
        if (branch !== known?.branch) this.#options.changes.hubChanged();
      });
    }
    return known?.branch;
  }
}

function getKey({ runner, folder }: { readonly runner: string; readonly folder: string }): string {
  return `${runner}\n${folder}`;
}

function parseBranch(answer: unknown): string | undefined {
  const { branch } = (answer ?? {}) as { branch?: unknown };
  return typeof branch === "string" && branch !== "" ? branch : undefined;
}
