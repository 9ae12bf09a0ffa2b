import type { Session } from "@signalbox/client";
import { tokens } from "../text/format.ts";
import { Answered } from "./control-result.tsx";
import { contextOf } from "./context-parts.ts";
import { useControl } from "./use-control.ts";

/** What fills the model's window. */
export default function ContextPanel({ session }: { session: Session }) {
  const { answer, again } = useControl(session, "get_context_usage");
  return (
    <Answered answer={answer} again={again}>
      {(value) => <Breakdown value={value} />}
    </Answered>
  );
}

function Breakdown({ value }: { value: unknown }) {
  const { total, window, parts } = contextOf(value);
  return (
    <div className="flex flex-col gap-3">
      <p className="font-mono">
        {tokens(total)} of {tokens(window)}
        <span className="text-dim"> tokens, {percent(window > 0 ? total / window : 0)}</span>
      </p>
      <ul className="flex flex-col gap-2">
        {parts.map(({ name, tokens: count, share, free }) => (
          <li key={name}>
            <div className="flex text-small">
              <span className={`grow ${free ? "text-dim" : ""}`}>{name}</span>
              <span className="font-mono text-dim">
                {tokens(count)} · {percent(share)}
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
