import type { Session } from "@signalbox/client";
import { within } from "../../store/path.ts";

/** The files that the agent changed, with how much. */
export function ChangesPanel({ session }: { session: Session }) {
  const { changedFiles } = session.summary;
  if (changedFiles.length === 0) {
    return (
      <p className="text-small text-dim">No file has been changed through the agent's tools.</p>
    );
  }
  return (
    <ul className="flex flex-col gap-1 font-mono text-small">
      {changedFiles.toReversed().map(({ path, added, removed }) => (
        <li key={path} className="flex gap-2">
          <span className="min-w-0 grow truncate text-left" dir="rtl" title={path}>
            <bdi>{within(path, session.folder)}</bdi>
          </span>
          <span className="shrink-0 text-working">+{added}</span>
          <span className="shrink-0 text-failed">−{removed}</span>
        </li>
      ))}
    </ul>
  );
}
