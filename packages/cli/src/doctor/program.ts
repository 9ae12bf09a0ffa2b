import { version } from "../version.ts";
import type { Check } from "./check.ts";

export function programCheck(): Check {
  const facts = {
    version: version(),
    bun: Bun.version,
    platform: `${process.platform}-${process.arch}`,
  };
  const detail = `${facts.version} on Bun ${facts.bun}, ${facts.platform}`;
  return { what: "signalbox", state: "ok", detail, facts };
}
