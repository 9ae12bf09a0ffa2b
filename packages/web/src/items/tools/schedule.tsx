import { toShortText, getLength } from "../../text/body.ts";
import { Section } from "../parts/card.tsx";
import { PlainProse } from "../parts/prose.tsx";
import { formatDateTime } from "../../text/format.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";
import { strings } from "../../strings/strings.ts";

const text = strings.tools;

export function ScheduleView({ item, payload }: ToolProps<"schedule">) {
  const { output } = payload;
  const jobs = output?.jobs ?? [];
  return (
    <ToolCard
      item={item}
      title={toShortText(payload.cron ?? payload.id ?? payload.reason ?? item.title)}
      meta={
        output?.nextAtMs !== undefined && (
          <span>{text.nextRun(formatDateTime(output.nextAtMs))}</span>
        )
      }
    >
      {payload.prompt !== undefined && (
        <Section label={text.prompt}>
          <PlainProse body={payload.prompt} />
        </Section>
      )}
      {jobs.length > 0 && (
        <Section label={text.scheduled}>
          <ul>
            {jobs.map((job, at) => (
              <li key={at} className="flex gap-3">
                <code>{toShortText(job.schedule ?? job.cron ?? job.id)}</code>
                <span className="truncate">{toShortText(job.prompt)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {output !== undefined && getLength(output.text) > 0 && (
        <div className="card-section text-dim">
          <PlainProse body={output.text} />
        </div>
      )}
    </ToolCard>
  );
}
