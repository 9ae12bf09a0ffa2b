interface Policy {
  createScriptURL(address: string): URL;
}
interface Policies {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): Policy;
}

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;

/** The page's only Trusted Types policy: it allows scripts of its own origin, for workers. */
const policy = policies?.createPolicy("signalbox", { createScriptURL: ownScript });

function ownScript(address: string): string {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin)
    throw new TypeError(`${address} is not a script of this page`);
  return url.href;
}

/** A script address that `new Worker` accepts where Trusted Types are enforced. */
export function trustedScript(address: string): URL {
  return policy?.createScriptURL(address) ?? new URL(ownScript(address));
}
