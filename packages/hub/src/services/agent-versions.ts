import { errorMessage } from "@signalbox/protocol/text";
import type { AgentSetting, AgentView, NewSession } from "@signalbox/api";
import { listUnsupportedFields } from "@signalbox/host/launch";
import { HubRefusal } from "../refusal.ts";
import type { Machines } from "./machines.ts";

type Found = NonNullable<AgentView["found"]>;

/** The versions of the agents' programs on each machine, and the options that a version lacks. */
export class AgentVersions {
  readonly #machines: Machines;
  /** What was found last, by machine and program, so that a new session need not wait for it again. */
  readonly #known = new Map<string, string>();

  constructor(machines: Machines) {
    this.#machines = machines;
  }

  /** Looks for an agent's program on a machine. A package is not looked for: its name has the version. */
  async describe(agent: AgentSetting, runner: string | undefined): Promise<AgentView> {
    const packaged = getPackageVersion(agent);
    if (agent.npm !== undefined) return { ...agent, ...describeMissing(packaged) };
    try {
      const found = await this.#find(agent, runner);
      return { ...agent, found, ...describeMissing(found.version) };
    } catch (why) {
      return { ...agent, problem: errorMessage(why) };
    }
  }

  /**
   * Refuses options that the agent's version lacks. A version that cannot be found out refuses nothing: the
   * run then says which options it did not get.
   */
  async requireOptions(agent: AgentSetting, runner: string, options: Partial<NewSession>) {
    const isLimited = listUnsupportedFields(undefined).some(({ field }) => isGiven(options, field));
    if (!isLimited) return;
    const known = getPackageVersion(agent) ?? this.#known.get(getKey(agent, runner));
    if (known !== undefined && !findMissing(known, options)) return;
    // What is known may be out of date, so that a refusal takes another look.
    const version =
      getPackageVersion(agent) ?? (await this.#find(agent, runner).catch(() => undefined))?.version;
    const missing = version === undefined ? undefined : findMissing(version, options);
    if (!missing) return;
    const detail = `Claude Code ${version} does not support the option "${missing.field}" (${missing.flag}): ${missing.since} or newer is needed. Leave it out, update Claude Code, or choose another agent.`;
    throw new HubRefusal(422, "option-not-supported", detail);
  }

  async #find(agent: AgentSetting, runner: string | undefined): Promise<Found> {
    const { path } = agent;
    const order = { kind: "find-agent", ...(path !== undefined && { path }) } as const;
    const found = (await this.#machines.sendOrder(runner, order)) as Found;
    if (runner !== undefined) this.#known.set(getKey(agent, runner), found.version);
    return found;
  }
}

function getKey({ path = "" }: AgentSetting, runner: string): string {
  return `${runner} ${path}`;
}

function getPackageVersion({ npm }: AgentSetting): string | undefined {
  return npm === undefined ? undefined : /@(\d+\.\d+\.\d+[^@]*)$/.exec(npm)?.[1];
}

function describeMissing(version: string | undefined): Pick<AgentView, "unsupported"> {
  if (version === undefined) return {};
  const missing = listUnsupportedFields(version);
  return missing.length === 0
    ? {}
    : { unsupported: missing.map(({ field, since }) => ({ option: field, since })) };
}

function findMissing(version: string, options: Partial<NewSession>) {
  return listUnsupportedFields(version).find(({ field }) => isGiven(options, field));
}

function isGiven(options: Partial<NewSession>, field: string): boolean {
  return options[field as keyof NewSession] !== undefined;
}
