import { brief, lengthOf } from "../../text/body.ts";
import { Section } from "../parts/card.tsx";
import { Words } from "../parts/prose.tsx";
import { moment } from "../../text/format.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

export function ScheduleView({ item, payload }: ToolProps<"schedule">) {
  const { output } = payload;
  const jobs = output?.jobs ?? [];
  return (
    <ToolCard
      item={item}
      title={brief(payload.cron ?? payload.id ?? payload.reason ?? item.title)}
      meta={output?.nextAtMs !== undefined && <span>next {moment(output.nextAtMs)}</span>}
    >
      {payload.prompt !== undefined && (
        <Section label="will say">
          <Words body={payload.prompt} />
        </Section>
      )}
      {jobs.length > 0 && (
        <Section label="planned">
          <ul>
            {jobs.map((job, at) => (
              <li key={at} className="flex gap-3">
                <code>{brief(job.schedule ?? job.cron ?? job.id)}</code>
                <span className="truncate">{brief(job.prompt)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {output !== undefined && lengthOf(output.text) > 0 && (
        <div className="card-section text-dim">
          <Words body={output.text} />
        </div>
      )}
    </ToolCard>
  );
}
