import { strings } from "../strings/strings.ts";

const text = strings.pairing.device;

/** Reads the pairing code from the address's fragment, which no server receives. */
export function readPairingCode(hash: string): string | undefined {
  const code = new URLSearchParams(hash.replace(/^#/, "")).get("pair") ?? "";
  return /^[A-Za-z0-9-]{4,100}$/.test(code) ? code : undefined;
}

const CODE_LENGTH = 20;

/** Whether a code is complete. Incomplete codes are not sent to the hub. */
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
  ["iPhone", text.systems.iPhone],
  ["iPad", text.systems.iPad],
  ["Windows", "Windows"],
  ["Macintosh", text.systems.mac],
  ["Linux", "Linux"],
] as const;

/** Suggests a name for this device from the browser's user agent. */
export function suggestDeviceName(agent: string): string {
  const [, browser] = browsers.find(([sign]) => agent.includes(sign)) ?? ["", text.browser];
  const [, system] = systems.find(([sign]) => agent.includes(sign)) ?? ["", text.systems.other];
  return text.suggestedName(browser, system);
}
