import type { AgentAccount } from "@signalbox/api";
import { strings } from "../strings/strings.ts";

const text = strings.panels.billing;

/** Describes who pays for the agent, as far as it says. */
export function describeBilling(account: AgentAccount | undefined): string {
  if (!account) return text.unknown;
  const { apiKeySource, tokenSource, subscriptionType, apiProvider } = account;
  const payer = describePayer({ apiKeySource, tokenSource, subscriptionType });
  return apiProvider === undefined || apiProvider === "firstParty"
    ? payer
    : text.through(payer, apiProvider);
}

function describePayer({
  apiKeySource,
  tokenSource,
  subscriptionType,
}: Pick<AgentAccount, "apiKeySource" | "tokenSource" | "subscriptionType">): string {
  if (subscriptionType !== undefined) return text.subscription(subscriptionType);
  if (isNamed(apiKeySource)) return text.apiKey(apiKeySource);
  if (isNamed(tokenSource)) return text.login(tokenSource);
  return text.notReported;
}

function isNamed(source: string | undefined): source is string {
  return source !== undefined && source !== "" && source !== "none";
}
