import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const POWER_SUPPLIES = "/sys/class/power_supply";

/**
 * Whether this machine runs on its battery, as far as Linux says so: it has a battery that is being
 * discharged, and no other source of power. Machines without such facts count as plugged in.
 */
export function isOnBattery(folder: string = POWER_SUPPLIES): boolean {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return false;
  }
  const supplies = names.map((name) => {
    const read = (fact: string) => readFact(join(folder, name, fact));
    return {
      type: read("type"),
      scope: read("scope"),
      status: read("status"),
      online: read("online"),
    };
  });
  // A battery with this scope is that of a mouse or a keyboard.
  const batteries = supplies.filter(({ type, scope }) => type === "Battery" && scope !== "Device");
  const isPluggedIn = supplies.some(({ type, online }) => type !== "Battery" && online === "1");
  return !isPluggedIn && batteries.some(({ status }) => status === "Discharging");
}

function readFact(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
