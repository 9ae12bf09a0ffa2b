import type { PolicyName } from "@signalbox/api";
import { isLooser, policiesFromStrict } from "../policy-order.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { AuditRow, Change, OrderRow, SessionRow } from "../store/store.ts";
import { hashEarlierOptions, hashFixedOptions, toStrictestOptions } from "./fixed-options.ts";

/** Written once, when the sessions of a hub that did not audit isolation are opened for the first time. */
const PERMISSIONS_ADOPTED = "permissions-adopted";
/** Written once, when the sessions of a hub that did not audit all fixed options are opened for the first time. */
const OPTIONS_ADOPTED = "session-options-adopted";

/** One statement of the audit about a session. `isOurs` checks the signature, which takes time. */
interface Statement<Value> {
  readonly value: Value;
  readonly isOurs: () => boolean;
}
interface PolicyFacts {
  readonly policy: PolicyName;
  readonly until: number | undefined;
}
interface SessionStatements {
  /** Checks the entry that created the session. */
  readonly isOurs: () => boolean;
  /** Checks the entry that deleted it, if there is one. */
  isDeleted: () => boolean;
  readonly policies: Statement<PolicyFacts>[];
  readonly isolations: Statement<string>[];
  /** The digests of the options with which the session was created, and of each change of them. */
  readonly options: Statement<string>[];
  /** The digest of some of them, which earlier versions audited. */
  readonly earlierOptions: Statement<string>[];
  /** Whether the session was created before isolation was audited. */
  readonly isOlder: () => boolean;
}

/** A stored session as the audit allows it, and a sentence for each value that the audit does not confirm. */
interface CheckedSession {
  readonly row: SessionRow;
  readonly problems: readonly string[];
}

/**
 * How freely the agent of each session may act, according to the audit. Rows of the tables `sessions` and
 * `orders` carry no signature, so that whoever can write the database could loosen a session with them;
 * the signed entries of the audit say what a person has really chosen.
 */
export class AuditedPermissions {
  readonly #sessions = new Map<string, SessionStatements>();
  readonly #answers = new Map<string, Statement<string>>();
  #isAdopted = false;
  #areOptionsAdopted = false;

  note(
    { what, session, facts }: Omit<AuditRow, "hash" | "signature">,
    isOurs: () => boolean,
  ): void {
    if (what === PERMISSIONS_ADOPTED) this.#adopt(facts, isOurs);
    if (what === OPTIONS_ADOPTED) this.#adoptOptions(facts, isOurs);
    if (what === "answered" || what === "expired") {
      const { ask, decision } = facts as { ask?: string; decision?: { behavior?: string } };
      if (ask !== undefined) {
        this.#answers.set(ask, { value: decision?.behavior ?? "deny", isOurs });
      }
    }
    if (session === null) return;
    if (what === "session-created" || what === "forked") this.#addSession(session, facts, isOurs);
    const known = this.#sessions.get(session);
    const to = facts["to"];
    if (what === "policy-changed" && isPolicy(to)) {
      known?.policies.push({ value: { policy: to, until: toNumber(facts["until"]) }, isOurs });
    }
    const { fixedOptions } = facts;
    if (what === "options-changed" && typeof fixedOptions === "string") {
      known?.options.push({ value: fixedOptions, isOurs });
    }
    if (what === "isolation-changed") known?.isolations.push({ value: String(to), isOurs });
    if (what === "session-deleted" && known) {
      const { isDeleted } = known;
      known.isDeleted = () => isDeleted() || isOurs();
    }
  }

  /**
   * Checks a stored session. What is looser than the audit says is put back to what the audit says; the
   * strictest values take the place of options whose digest does not fit, and of all permissions of a session
   * that the audit does not know.
   */
  check(row: SessionRow): CheckedSession {
    const statements = this.#find(row.id);
    const problems: string[] = statements ? [] : [`the session ${row.id}`];
    const policy = this.#checkPolicy(row, statements, problems);
    const options = this.#checkOptions(row, statements, problems);
    return problems.length === 0
      ? { row, problems }
      : { row: { ...row, ...policy, options }, problems };
  }

  #checkPolicy(
    { id, policy, bypassUntil }: SessionRow,
    statements: SessionStatements | undefined,
    problems: string[],
  ): Pick<SessionRow, "policy" | "bypassUntil"> {
    if (!isLooser(policy, "supervised")) return { policy, bypassUntil };
    const audited = findOwn(statements?.policies) ?? { policy: "default", until: undefined };
    if (isLooser(policy, audited.policy)) {
      problems.push(`the policy "${policy}" of the session ${id}`);
      return {
        policy: audited.policy,
        bypassUntil: audited.policy === "autonomous" ? (audited.until ?? null) : null,
      };
    }
    const { until } = audited;
    const isLonger = until !== undefined && (bypassUntil === null || bypassUntil > until);
    if (policy !== "autonomous" || !isLonger) return { policy, bypassUntil };
    problems.push(`the time until which the session ${id} is "autonomous"`);
    return { policy, bypassUntil: until };
  }

  #checkOptions(
    row: SessionRow,
    statements: SessionStatements | undefined,
    problems: string[],
  ): SessionRow["options"] {
    const { id, options } = row;
    const { isolation = "default" } = options;
    const audited = findOwn(statements?.isolations) ?? "default";
    if (isolation !== audited) problems.push(`the isolation "${isolation}" of the session ${id}`);
    const checked =
      isolation === audited
        ? options
        : { ...options, isolation: audited as NonNullable<typeof options.isolation> };
    if (statements && findOwn(statements.options) === hashFixedOptions(row)) return checked;
    if (statements) problems.push(`the folder or the options of the session ${id}`);
    return toStrictestOptions(checked);
  }

  /** Whether a stored order follows from what the audit says. `row` is its session, already checked. */
  confirmsOrder(order: OrderRow, row: SessionRow): boolean {
    const { kind, session, policy, decision } = JSON.parse(order.json) as {
      kind?: string;
      session?: string;
      policy?: unknown;
      decision?: { behavior?: string };
    };
    if (session !== row.id || order.session !== row.id || order.runner !== row.runner) return false;
    if (kind === "policy") return isPolicy(policy) && !isLooser(policy, row.policy);
    if (kind !== "decide") return false;
    const answer = this.#answers.get(order.id);
    return answer?.value === decision?.behavior && answer?.isOurs() === true;
  }

  /**
   * The entry that adopts the current isolation of sessions that predate the audit of isolation. Undefined:
   * there are none, or they were adopted already.
   */
  adopt(rows: readonly SessionRow[]): Change | undefined {
    if (this.#isAdopted) return undefined;
    const older = rows.filter(({ id }) => this.#find(id)?.isOlder());
    if (older.length === 0) return undefined;
    const sessions = older
      .filter(({ id }) => (this.#find(id)?.isolations.length ?? 0) === 0)
      .map(({ id, options }) => ({ id, isolation: options.isolation ?? "default" }));
    this.#adopt({ sessions }, () => true);
    return createAuditChange(PERMISSIONS_ADOPTED, null, null, { sessions });
  }

  /**
   * The entry that adopts the options of sessions for which the audit has no digest of all of them. Undefined:
   * there are none, or they were adopted already.
   */
  adoptOptions(rows: readonly SessionRow[]): Change | undefined {
    if (this.#areOptionsAdopted) return undefined;
    const sessions = rows
      .filter((row) => this.#hasEarlierOptions(row))
      .map((row) => ({ id: row.id, options: hashFixedOptions(row) }));
    if (sessions.length === 0) return undefined;
    this.#adoptOptions({ sessions }, () => true);
    return createAuditChange(OPTIONS_ADOPTED, null, null, { sessions });
  }

  /** Whether the audit has no digest of all options, and what it has of an earlier version fits. */
  #hasEarlierOptions(row: SessionRow): boolean {
    const statements = this.#find(row.id);
    if (!statements || findOwn(statements.options) !== undefined) return false;
    const earlier = findOwn(statements.earlierOptions);
    return earlier === undefined || earlier === hashEarlierOptions(row);
  }

  /** What the audit says about a session that this hub has created and not deleted. */
  #find(id: string): SessionStatements | undefined {
    const statements = this.#sessions.get(id);
    return statements?.isOurs() && !statements.isDeleted() ? statements : undefined;
  }

  #adoptOptions(facts: AuditRow["facts"], isOurs: () => boolean): void {
    if (this.#areOptionsAdopted || !isOurs()) return;
    this.#areOptionsAdopted = true;
    const { sessions = [] } = facts as { sessions?: { id: string; options: string }[] };
    for (const { id, options } of sessions) {
      this.#sessions.get(id)?.options.push({ value: options, isOurs: () => true });
    }
  }

  #adopt(facts: AuditRow["facts"], isOurs: () => boolean): void {
    if (this.#isAdopted || !isOurs()) return;
    this.#isAdopted = true;
    const { sessions = [] } = facts as { sessions?: { id: string; isolation: string }[] };
    for (const { id, isolation } of sessions) {
      this.#sessions.get(id)?.isolations.unshift({ value: isolation, isOurs: () => true });
    }
  }

  #addSession(id: string, facts: AuditRow["facts"], isOurs: () => boolean): void {
    // Nobody else can create a session again whose entry is this hub's.
    if (this.#sessions.has(id) && !isOurs()) return;
    const { policy, until, isolation, options, fixedOptions, from } = facts;
    const parent = typeof from === "string" ? this.#sessions.get(from) : undefined;
    const value = {
      policy: isPolicy(policy) ? policy : "default",
      until: toNumber(until),
    } as const;
    const toStatements = (digest: unknown) =>
      typeof digest === "string" ? [{ value: digest, isOurs }] : [];
    this.#sessions.set(id, {
      isOurs,
      isDeleted: () => false,
      policies:
        isPolicy(policy) || !parent ? [{ value, isOurs }] : parent.policies.map(limitForFork),
      isolations: toStatements(isolation),
      options: toStatements(fixedOptions),
      earlierOptions: toStatements(options),
      isOlder: () => isolation === undefined && isOurs(),
    });
  }
}

/** The facts of the audit entry of a new session or of changed options that `AuditedPermissions` reads. */
export function getPermissionFacts(row: SessionRow): Record<string, unknown> {
  const { policy, options } = row;
  const { isolation = "default" } = options;
  return { policy, isolation, fixedOptions: hashFixedOptions(row) };
}

/** The newest statement that this hub wrote. */
function findOwn<Value>(statements: readonly Statement<Value>[] | undefined): Value | undefined {
  return statements?.findLast(({ isOurs }) => isOurs())?.value;
}

/** Audit entries of forks once had no policy: such a fork has that of its session, but never autonomous. */
function limitForFork({ value, isOurs }: Statement<PolicyFacts>): Statement<PolicyFacts> {
  return value.policy === "autonomous"
    ? { value: { policy: "default", until: undefined }, isOurs }
    : { value, isOurs };
}

function isPolicy(value: unknown): value is PolicyName {
  return policiesFromStrict.some((policy) => policy === value);
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
