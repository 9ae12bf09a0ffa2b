import { toShortText, getLength } from "../../text/body.ts";
import { Output } from "../parts/output.tsx";
import { lookup } from "../../text/lookup.ts";
import { Command, ExitCode } from "./shell.tsx";
import { ToolCard, type ToolProps } from "./tool-card.tsx";
import { strings } from "../../strings/strings.ts";

const text = strings.tools;

const operationLabels = {
  output: text.readOutput,
  stop: text.stopTask,
  monitor: text.monitor,
} as const;

/** Reads or stops a background command. */
export function BackgroundShellView({ item, payload }: ToolProps<"background_shell">) {
  const { output, command, operation } = payload;
  const title = toShortText(
    payload.description ?? command ?? payload.taskId ?? output?.taskId ?? "",
  );
  return (
    <ToolCard
      item={item}
      name={lookup(operationLabels, operation) ?? toShortText(item.name, 60)}
      title={title}
      open={operation === "output"}
      meta={
        <>
          {output?.status !== undefined && <span>{toShortText(output.status, 40)}</span>}
          <ExitCode code={output?.exitCode} />
        </>
      }
    >
      {command !== undefined && <Command command={command} />}
      {output !== undefined && getLength(output.text) > 0 && (
        <Output body={output.text} id={item.id} head={4} tail={8} label={text.output} />
      )}
      {output?.stderr !== undefined && getLength(output.stderr) > 0 && (
        <Output body={output.stderr} id={`${item.id}/stderr`} label={text.errors} />
      )}
    </ToolCard>
  );
}
