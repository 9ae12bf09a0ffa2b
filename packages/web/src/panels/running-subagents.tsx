import { revealItem } from "../conversation/reveal.ts";
import {
  type SessionHandle,
  useChildren,
  useRunningSubagents,
} from "../store/use-session-handle.ts";
import { strings } from "../strings/strings.ts";
import { Lamp } from "../style/lamp.tsx";
import { type DisplayItemOfKind, toShortText } from "../text/body.ts";
import { ElapsedTime } from "../ui/time.tsx";

const text = strings.panels.tasks;

interface Props {
  readonly session: string;
  readonly handle: SessionHandle;
  readonly onLeave: () => void;
}

/** Subagents that run now. Each leads to its steps in the conversation. */
export function RunningSubagents({ session, handle, onLeave }: Props) {
  const running = useRunningSubagents(handle);
  if (running.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 font-strong">{text.subagents}</h3>
      <ul className="-mx-2 flex flex-col" aria-label={text.subagents}>
        {running.map((call) => (
          <li key={call.id}>
            <button
              type="button"
              className="file-row"
              data-tip={text.show}
              data-role="subagent"
              onClick={() => {
                onLeave();
                revealItem(session, call.id);
              }}
            >
              <Subagent call={call} handle={handle} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Subagent({ call, handle }: { call: DisplayItemOfKind<"tool">; handle: SessionHandle }) {
  const steps = useChildren(handle, call.id).filter(({ kind }) => kind === "tool").length;
  const { payload, at } = call;
  if (payload?.kind !== "subagent_task") return null;
  return (
    <>
      <Lamp state="working" />
      <span className="min-w-0 grow truncate">
        {toShortText(payload.subagentType ?? call.name, 40)} · {toShortText(payload.description)}
      </span>
      <span className="shrink-0 text-small text-faint">
        {steps > 0 && `${text.steps(steps)} · `}
        {at !== undefined && <ElapsedTime since={at} />}
      </span>
    </>
  );
}
