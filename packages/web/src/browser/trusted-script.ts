interface Policy {
  createScriptURL(address: string): URL;
}
interface Policies {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): Policy;
}

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;

/** The one policy of the page: scripts of its own origin, for workers. */
const policy = policies?.createPolicy("signalbox", { createScriptURL: ownScript });

function ownScript(address: string): string {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin)
    throw new TypeError(`${address} is not a script of this page`);
  return url.href;
}

/** An address for `new Worker`, accepted where Trusted Types are required. */
export function trustedScript(address: string): URL {
  return policy?.createScriptURL(address) ?? new URL(ownScript(address));
}
