import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { counted, type Ledger, createEmptyUse } from "./usage.ts";

/** The cost of a session, in the format in which Claude Code stores it. */
export function storedCosts(ledger: Ledger, now = Date.now()): JsonObject {
  const uses = [...ledger.models];
  return {
    totalCostUSD: ledger.costUsd,
    totalAPIDuration: ledger.apiMs,
    totalAPIDurationWithoutRetries: ledger.apiMs,
    totalToolDuration: 0,
    totalLinesAdded: ledger.linesAdded,
    totalLinesRemoved: ledger.linesRemoved,
    totalDuration: now - ledger.began,
    startTime: ledger.began,
    modelUsage: Object.fromEntries(
      uses.map(([model, use]) => [
        model,
        Object.fromEntries(counted.map((key) => [key, use[key]])),
      ]),
    ),
    hasUnknownModelCost: uses.some(([, { costBasis }]) => costBasis === "unknown"),
  };
}

/** Continues the count of a resumed session. The budget counts from here. */
export function restoreCosts(ledger: Ledger, stored: JsonObject, now = Date.now()): void {
  ledger.costUsd = ledger.costBefore = amount(stored["totalCostUSD"]);
  ledger.apiMs = amount(stored["totalAPIDuration"]);
  ledger.linesAdded = amount(stored["totalLinesAdded"]);
  ledger.linesRemoved = amount(stored["totalLinesRemoved"]);
  ledger.began = now - amount(stored["totalDuration"]);
  const uses = isObject(stored["modelUsage"]) ? stored["modelUsage"] : {};
  for (const [model, storedUse] of Object.entries(uses)) {
    const counts = isObject(storedUse) ? storedUse : {};
    const use = createEmptyUse(model);
    for (const key of counted) use[key] = amount(counts[key]);
    ledger.models.set(model, use);
  }
  ledger.markTold();
}

const amount = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) ? value : 0;
