import type { AgentAccount } from "@signalbox/api";

/** Describes who pays for the agent, as far as it says. */
export function describeBilling(account: AgentAccount | undefined): string {
  if (!account) return "not known yet";
  const { apiKeySource, tokenSource, subscriptionType, apiProvider } = account;
  const through =
    apiProvider === undefined || apiProvider === "firstParty" ? "" : `, through ${apiProvider}`;
  if (subscriptionType !== undefined) return `subscription (${subscriptionType})${through}`;
  if (isNamed(apiKeySource)) return `API key, from ${apiKeySource}${through}`;
  if (isNamed(tokenSource)) return `an account's login, from ${tokenSource}${through}`;
  return `the agent does not say${through}`;
}

function isNamed(source: string | undefined): source is string {
  return source !== undefined && source !== "" && source !== "none";
}
