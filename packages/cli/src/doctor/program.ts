import { readVersion } from "../version.ts";
import type { Check } from "./check.ts";

export function checkProgram(): Check {
  const facts = {
    version: readVersion(),
    bun: Bun.version,
    platform: `${process.platform}-${process.arch}`,
  };
  const detail = `${facts.version} on Bun ${facts.bun}, ${facts.platform}`;
  return { what: "signalbox", state: "ok", detail, facts };
}
