import { type Body, toShortText, getLength } from "../../text/body.ts";
import { strings } from "../../strings/strings.ts";
import { BackgroundStatus } from "../parts/background-status.tsx";
import { Section } from "../parts/card.tsx";
import { Images } from "../parts/image-view.tsx";
import { LiveOutput } from "../parts/live-output.tsx";
import { Output } from "../parts/output.tsx";
import { PlainProse } from "../parts/prose.tsx";
import { ToolCard, type ToolProps, useIsAskDocked } from "./tool-card.tsx";

/** A command with its output and exit code. */
export function ShellView({ item, payload }: ToolProps<"shell_exec">) {
  const { output, command } = payload;
  // The request above the composer shows the command and its description.
  const elsewhere = useIsAskDocked(item);
  const described =
    !elsewhere && payload.description !== undefined && getLength(payload.description) > 0;
  // A short command is already complete in the card's title.
  const repeated = !elsewhere && (getLength(command) > 80 || toShortText(command).includes("\n"));
  const shown =
    output !== undefined && (getLength(output.stdout) > 0 || getLength(output.stderr) > 0);
  return (
    <ToolCard
      item={item}
      title={toShortText(command).split("\n", 1)[0] ?? ""}
      name=""
      open
      showsError={shown && output.exitCode !== undefined && output.exitCode !== 0}
      meta={
        <>
          {payload.background && <BackgroundStatus work={item.background} />}
          {output?.interrupted === true && (
            <span className="text-waiting">{strings.tools.interrupted}</span>
          )}
          <ExitCode code={output?.exitCode} meaning={output?.exitMeaning} />
        </>
      }
    >
      {described && (
        <p className="px-3 py-1.5 text-small text-dim">{toShortText(payload.description)}</p>
      )}
      {repeated && <Command command={command} />}
      {shown && getLength(output.stdout) > 0 && (
        <Output body={output.stdout} id={item.id} head={4} tail={8} label={strings.tools.output} />
      )}
      {shown && getLength(output.stderr) > 0 && (
        <Section label={strings.tools.errors}>
          <Output
            body={output.stderr}
            id={`${item.id}/stderr`}
            head={4}
            tail={8}
            label={strings.tools.errors}
          />
        </Section>
      )}
      {output?.backgroundOutputPath !== undefined && output.backgroundTaskId !== undefined && (
        <LiveOutput item={item.id} task={toShortText(output.backgroundTaskId)} />
      )}
      {output?.images !== undefined && output.images.length > 0 && (
        <Images images={output.images} />
      )}
      {output?.truncated === true && (
        <p className="p-2 text-small text-dim">
          {strings.tools.partialOutput}
          {output.fullOutputPath !== undefined &&
            ` ${strings.tools.fullOutputIn(toShortText(output.fullOutputPath))}`}
        </p>
      )}
    </ToolCard>
  );
}

/** The whole command. */
export function Command({ command }: { command: Body }) {
  return (
    <div className="command">
      <span aria-hidden="true">$ </span>
      <PlainProse body={command} className="as-it-runs" />
    </div>
  );
}

export function ExitCode(props: {
  code: number | undefined;
  meaning?: Parameters<typeof toShortText>[0];
}) {
  const { code, meaning } = props;
  if (code === undefined || code === 0) return null;
  if (meaning !== undefined) return <span>{toShortText(meaning, 60)}</span>;
  return <span className="text-failed">{strings.tools.exitCode(code)}</span>;
}
