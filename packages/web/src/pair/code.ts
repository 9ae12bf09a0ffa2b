/** The pairing code in an address: in its fragment alone, which no server sees. */
export function readPairingCode(hash: string): string | undefined {
  const code = new URLSearchParams(hash.replace(/^#/, "")).get("pair") ?? "";
  return /^[A-Za-z0-9-]{4,100}$/.test(code) ? code : undefined;
}

const CODE_LENGTH = 20;

/** Whether all letters of a code are there: one that is half typed is not asked about. */
export function isCompleteCode(typed: string): boolean {
  return typed.replaceAll(/[^A-Za-z0-9]/g, "").length === CODE_LENGTH;
}

const browsers = [
  ["Firefox/", "Firefox"],
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const systems = [
  ["Android", "Android"],
  ["iPhone", "an iPhone"],
  ["iPad", "an iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "a Mac"],
  ["Linux", "Linux"],
] as const;

/** A first name for this device, from what the browser says of itself. */
export function suggestDeviceName(agent: string): string {
  const [, browser] = browsers.find(([sign]) => agent.includes(sign)) ?? ["", "Browser"];
  const [, system] = systems.find(([sign]) => agent.includes(sign)) ?? ["", "this device"];
  return `${browser} on ${system}`;
}
