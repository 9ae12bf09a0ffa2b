import type { Session } from "@signalbox/client";
import { formatTokens } from "../text/format.ts";
import { ControlResult } from "./control-result.tsx";
import { parseContextUsage } from "./context-usage.ts";
import { useControl } from "./use-control.ts";
import { strings } from "../strings/strings.ts";

const text = strings.panels.context;

/** What the model's context window is used for. */
export default function ContextPanel({ session }: { session: Session }) {
  const { answer, reload } = useControl(session, "get_context_usage");
  return (
    <ControlResult answer={answer} reload={reload}>
      {(value) => <Breakdown value={value} />}
    </ControlResult>
  );
}

function Breakdown({ value }: { value: unknown }) {
  const { total, window, parts } = parseContextUsage(value);
  return (
    <div className="flex flex-col gap-3">
      <p className="font-strong">
        {text.of(formatTokens(total), formatTokens(window))}{" "}
        <span className="font-normal text-dim">
          {text.tokens(percent(window > 0 ? total / window : 0))}
        </span>
      </p>
      <ul className="flex flex-col gap-2">
        {parts.map(({ name, tokens: count, share, free }) => (
          <li key={name}>
            <div className="flex text-small">
              <span className={`grow ${free ? "text-dim" : ""}`}>{name}</span>
              <span className="text-dim">
                {formatTokens(count)} · {percent(share)}
              </span>
            </div>
            <svg
              viewBox="0 0 100 2"
              preserveAspectRatio="none"
              className="h-1 w-full"
              aria-hidden="true"
            >
              <rect width="100" height="2" className="fill-line" />
              <rect
                width={Math.max(0.4, share * 100)}
                height="2"
                className={free ? "fill-line" : "fill-accent"}
              />
            </svg>
          </li>
        ))}
      </ul>
    </div>
  );
}

function percent(share: number): string {
  return share > 0 && share < 0.001 ? "< 0.1%" : `${(share * 100).toFixed(1)}%`;
}
