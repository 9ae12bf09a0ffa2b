import { inert } from "../text/visible.ts";
import { useMachineLabel } from "../store/machines.ts";
import { strings } from "../strings/strings.ts";

/** The machine of a session or project, if there are several. */
export function MachineLabel({ runner }: { runner: string }) {
  const label = useMachineLabel({ runner });
  if (label === undefined) return null;
  return (
    <span className="max-w-40 shrink-0 truncate text-small text-dim" data-role="machine">
      <span className="sr-only">{strings.session.onMachine} </span>
      {inert(label)}
    </span>
  );
}
