import { toShortText, getLength } from "../../text/body.ts";
import { BackgroundStatus } from "../parts/background-status.tsx";
import { Section } from "../parts/card.tsx";
import { CodeView } from "../parts/code-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { Output } from "../parts/output.tsx";
import { Prose } from "../parts/prose.tsx";
import { isEmptyJson } from "../../text/format-json.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";
import { strings } from "../../strings/strings.ts";

const text = strings.tools;

export function WorkflowView({ item, payload }: ToolProps<"workflow">) {
  const { output, script } = payload;
  return (
    <ToolCard
      item={item}
      name={text.workflow}
      title={toShortText(payload.title ?? output?.name ?? payload.name ?? output?.summary)}
      mono={false}
      meta={output?.launched === true && <BackgroundStatus work={item.background} />}
    >
      {payload.description !== undefined && (
        <div className="card-section">
          <Prose body={payload.description} />
        </div>
      )}
      {script !== undefined && (
        <Section label={text.script}>
          <CodeView body={script} id={`${item.id}/script`} language="javascript" from={1} />
        </Section>
      )}
      {!isEmptyJson(payload.args) && (
        <Section label={text.input}>
          <JsonView value={payload.args} id={`${item.id}/args`} />
        </Section>
      )}
      {output !== undefined && getLength(output.text) > 0 && (
        <Section label={text.result}>
          <Output body={output.text} id={item.id} label={text.result} />
        </Section>
      )}
    </ToolCard>
  );
}
