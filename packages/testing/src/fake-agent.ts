import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Host,
  type HostOptions,
  type Launch,
  stdioDriver,
  type StdioOptions,
} from "@signalbox/host";

export const fakeAgent = join(import.meta.dir, "programs/fake-agent.mjs");

/** A folder of its own for one test. */
export function tempFolder() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-test-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function fakeLaunch(how: string, more: Partial<Launch> = {}): Launch {
  return {
    folder: tmpdir(),
    agentPath: fakeAgent,
    inheritFrom: { PATH: process.env["PATH"], HOME: tmpdir() },
    ...more,
    environment: { FAKE: how, ...more.environment },
  };
}

export function startFake(how: string, options: StdioOptions = {}, more: Partial<Launch> = {}) {
  return stdioDriver(options).start(fakeLaunch(how, more));
}

export function hostFake(how: string, options: HostOptions = {}, more: Partial<Launch> = {}) {
  return Host.start(stdioDriver({ graceMs: 200 }), fakeLaunch(how, more), options);
}
