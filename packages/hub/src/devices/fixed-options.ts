import { createHash } from "node:crypto";
import { canonicalJson } from "@signalbox/api/proof";
import { omitUndefined } from "../omit-undefined.ts";
import type { SessionRow } from "../store/store.ts";

/** The digest of the options that change only together with an entry of the audit. */
export function hashFixedOptions(row: SessionRow): string {
  const { options } = row;
  const { fallbackModel, systemPrompt, maxTurns, maxBudgetUsd, jsonSchema, askLimitMinutes } =
    options;
  const limits = { maxTurns, maxBudgetUsd, askLimitMinutes };
  return hash({
    ...getEarlierOptions(row),
    ...limits,
    fallbackModel,
    systemPrompt,
    jsonSchema,
    version: 2,
  });
}

/** The digest that earlier versions audited. */
export function hashEarlierOptions(row: SessionRow): string {
  return hash(getEarlierOptions(row));
}

function getEarlierOptions(row: SessionRow): object {
  const { runner, agent, driver, options } = row;
  const { mode, addDirs, mcpServers, environment, variables, startedBy } = options;
  const folder = driver === "relay" ? null : row.folder; // an agent that dials in chooses its own folder
  const place = { folder, runner, agent, mode, addDirs };
  return { ...place, mcpServers, environment, variables, startedBy };
}

function hash(value: object): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/** What is left of options that the audit does not confirm: nothing that runs, allows or instructs. */
export function toStrictestOptions(options: SessionRow["options"]): SessionRow["options"] {
  const { folder, isolation, takeUp, model, effort } = options;
  return omitUndefined({ folder, isolation, takeUp, model, effort, startedBy: "driver" as const });
}
