import { join } from "node:path";

/** The root of the repository. */
export const repository = join(import.meta.dir, "../../..");

/** The command `signalbox`: its source, which Bun runs, and the launcher that Node starts. */
export const signalboxMain = join(repository, "packages/cli/src/main.ts");
export const signalboxLauncher = join(repository, "packages/cli/bin/signalbox.mjs");

/** The launcher of `signalbox-agent`. */
export const signalboxAgent = join(repository, "packages/reference-agent/bin/signalbox-agent.mjs");

const programs = join(import.meta.dir, "programs");

/** A hub in a process of its own, which a test may kill; its options are JSON in the first argument. */
export const hubProcess = join(programs, "hub-process.ts");

/** Runs what `signalbox runner --own` does, for a hub that starts its own runner. */
export const localRunner = join(programs, "local-runner.ts");

/** An agent that says each line that it hears, for `dial`. */
export const speakingAgent = join(programs, "speaking-agent.mjs");

/** An agent that writes as many numbered lines as its prompt says. */
export const talkingAgent = join(programs, "talking-agent.mjs");

/** A picture of one pixel. */
export const dotPicture = join(import.meta.dir, "dot.png");
