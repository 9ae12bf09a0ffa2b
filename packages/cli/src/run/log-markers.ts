import { decode, formatLogMarker } from "@signalbox/protocol";
import type { Launch, Policy, Run, RunEnd } from "@signalbox/host";
import type { LogLine } from "@signalbox/timeline";

/** Log markers for facts that no line of the agent contains: how its run began and how it ended. */

const RUN = "run"; // a recording of one run has only this one

const toLogLine = (text: string): LogLine => ({ from: "keeper", line: decode(text) });

export function createRunStarted(
  run: Run,
  { resume, continue: continues }: Launch,
  policy: Policy,
) {
  const { driver, agent, capabilities, unsupportedOptions, isolation } = run;
  const status = resume || continues === true ? "resumed" : "new";
  return toLogLine(
    formatLogMarker("run_started", {
      run: RUN,
      status: resume?.fork === true ? "forked" : status,
      driver,
      policy,
      agent: { ...agent },
      capabilities: { ...capabilities },
      leftOut: unsupportedOptions.map(({ option, why }) => ({ option, why })),
      ...(isolation && { isolation: { ...isolation } }),
    }),
  );
}

export function createRunEnded({ kind, sentence, stderr, exit }: RunEnd): LogLine {
  const status = kind === "clean" || kind === "stopped" ? "ended" : "crashed";
  const output = stderr === "" ? {} : { stderr };
  return toLogLine(
    formatLogMarker("run_ended", { run: RUN, status, kind, sentence, ...exit, ...output }),
  );
}
