import { useDeferredValue, useMemo, useState } from "react";
import { PathText } from "../text/path-text.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { openConnect, openNewSession } from "../navigation/overlays.ts";
import { LoadingMessage } from "../ui/progress.tsx";
import { abbreviateHome } from "../text/path.ts";
import { useBoard, useMayDrive, useSessions } from "../store/use-hub.ts";
import { Elevations } from "../asks/elevations.tsx";
import { groupSessions } from "./groups.ts";
import { MachineLabel } from "../ui/machine-label.tsx";
import { Tile } from "./tile.tsx";
import { spelled } from "../text/visible.ts";

/** All sessions as tiles, grouped by project. */
export function Board() {
  const sessions = useSessions();
  const state = useBoard((view) => view.state);
  const [text, setText] = useState("");
  const [archived, setArchived] = useState(false);
  const wanted = useDeferredValue(text);
  const groups = useMemo(
    () => groupSessions(sessions, { text: wanted, archived }),
    [sessions, wanted, archived],
  );
  const mayDrive = useMayDrive();
  const old = sessions.filter((session) => session.archived).length;
  if (state === "loading") return <LoadingMessage text="Waiting for the hub…" />;
  return (
    <div className="mx-auto flex max-w-[1600px] flex-col gap-4 p-3 sm:p-4">
      <Elevations />
      {sessions.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="sr-only">Board</h1>
          <input
            type="search"
            className="field w-auto min-w-0 grow sm:max-w-72"
            placeholder="Filter sessions"
            aria-label="Filter sessions"
            data-role="filter"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          {(old > 0 || archived) && (
            <button
              type="button"
              className="button"
              aria-pressed={archived}
              onClick={() => setArchived(!archived)}
            >
              {archived ? "Back to the open ones" : `Archived (${old})`}
            </button>
          )}
          {mayDrive && <ConnectButton />}
        </div>
      )}
      {groups.map(({ key, runner, folder, name, sessions: inside }) => (
        <section key={key} aria-label={spelled(name)} data-machine={runner}>
          <div className="mb-2 flex items-baseline gap-2">
            <h2 className="flex min-w-0 items-baseline gap-2">
              <span className="max-w-[70%] shrink-0 truncate font-semibold" title={spelled(name)}>
                {spelled(name)}
              </span>{" "}
              <PathText
                path={abbreviateHome(folder)}
                whole={folder}
                className="font-mono text-small text-dim"
              />
              <MachineLabel runner={runner} />
            </h2>
            {mayDrive && (
              <button
                type="button"
                className="button button-bare ml-auto shrink-0 text-dim"
                aria-label={`New session in ${spelled(name)}`}
                onClick={() => openNewSession({ folder, runner })}
              >
                + session
              </button>
            )}
          </div>
          <div className="tiles">
            {inside.map((session) => (
              <ErrorBoundary key={session.id} what="This session">
                <Tile session={session} />
              </ErrorBoundary>
            ))}
          </div>
        </section>
      ))}
      {groups.length === 0 &&
        (sessions.length > 0 ? (
          <NoMatches text={text} />
        ) : mayDrive ? (
          <FirstSession />
        ) : (
          <EmptyBoard />
        ))}
    </div>
  );
}

function NoMatches({ text }: { text: string }) {
  return (
    <p className="text-dim">
      {text === "" ? "There is nothing here." : `No session fits "${text}".`}
    </p>
  );
}

function EmptyBoard() {
  return (
    <p className="mx-auto mt-[12vh] max-w-reading text-center text-dim">
      No session yet. This device may only look; what others start is shown here.
    </p>
  );
}

function FirstSession() {
  return (
    <div className="mx-auto mt-[12vh] max-w-reading text-center">
      <h1 className="text-title font-semibold">Start your first session</h1>
      <p className="mt-2 text-dim">
        Choose a folder, say what should be done. It goes on when you close this page, and asks you
        before it does what it may not do by itself.
      </p>
      <button type="button" className="button button-go mt-4" onClick={() => openNewSession()}>
        New session <span className="kbd">n</span>
      </button>
      <p className="mt-4">
        <ConnectButton />
      </p>
    </div>
  );
}

function ConnectButton() {
  return (
    <button type="button" className="button" data-role="connect-open" onClick={openConnect}>
      Connect…
    </button>
  );
}
