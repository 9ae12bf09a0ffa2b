import type { DeviceView, Pairing, RunnerView } from "@signalbox/api";
import type { Session } from "@signalbox/client";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type ConfirmOptions, requestConfirmation } from "../navigation/confirm.ts";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useSeconds } from "../store/clock.ts";
import { currentLamp } from "../store/lamp.ts";
import { useMachines } from "../store/machines.ts";
import { useLive, useMayDecide, useSessions } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { formatCountdown } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { LampView } from "../ui/lamp-view.tsx";
import { useLoad } from "../ui/use-load.ts";
import { isLoopbackUrl } from "@signalbox/protocol/proxy";
import { FormProblem, SettingsBox } from "./setting-parts.tsx";
import { useCodeUsed } from "./use-code-used.ts";

const text = settingsStrings.machines;
const LOAD_INTERVAL_MS = 30_000;

/** The machines on which agents run. Approvers can add and remove them. */
export function Machines() {
  const machines = useMachines();
  const loads = useMachineLoads();
  const mayDecide = useMayDecide();
  return (
    <>
      <p className="md:-mt-4 text-control text-dim">{text.intro}</p>
      <ul className="box divide-y divide-line" data-role="machines">
        {machines.map((machine) => (
          <Machine
            key={machine.id}
            machine={machine}
            load={machine.online ? loads.get(machine.id) : undefined}
            mayRemove={mayDecide && !machine.own}
          />
        ))}
      </ul>
      {mayDecide ? <AddMachine /> : <p className="text-dim">{text.approverOnly}</p>}
    </>
  );
}

function createRemoveConfirmation(name: string): ConfirmOptions {
  return {
    title: text.removeTitle(name),
    text: text.removeText,
    confirmLabel: text.remove(name),
  };
}

/** How busy each machine is, asked again every half minute: runners report it that often. */
function useMachineLoads(): ReadonlyMap<string, RunnerView["load"]> {
  const { client } = useAppContext();
  const { state, reload } = useLoad(useCallback(() => client.runners(), [client]));
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), LOAD_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return useMemo(
    () => new Map(state.kind === "there" ? state.value.map(({ id, load }) => [id, load]) : []),
    [state],
  );
}

function Machine(props: {
  readonly machine: RunnerView;
  readonly load: RunnerView["load"];
  readonly mayRemove: boolean;
}) {
  const { machine, load, mayRemove } = props;
  const { client, toasts } = useAppContext();
  const name = inert(machine.machine);
  const sessions = useSessions().filter(({ runner }) => runner === machine.id);
  const remove = async () => {
    if (!(await requestConfirmation(createRemoveConfirmation(name)))) return;
    try {
      await client.revokeDevice(machine.id);
    } catch (failure) {
      toasts.showError(text.couldNotRemove, failure);
    }
  };
  const facts = [
    machine.online ? text.online : text.offline,
    text.running(machine.runs),
    ...(load ? [text.load(load.average.toFixed(2), load.cores)] : []),
    ...(machine.version === undefined ? [] : [text.version(inert(machine.version))]),
  ];
  return (
    <li
      className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2.5"
      data-machine={machine.id}
    >
      <div className="min-w-48 flex-1">
        <div className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 wrap-anywhere">{name}</span>
          {machine.own && <span className="chip">{text.own}</span>}
        </div>
        <div className="text-small text-dim" data-role="machine-facts">
          {facts.join(" · ")}
        </div>
        <MachineSessions sessions={sessions} />
      </div>
      {mayRemove && (
        <button
          type="button"
          className="button button-danger"
          aria-label={text.remove(name)}
          onClick={() => void remove()}
        >
          {settingsStrings.remove}
        </button>
      )}
    </li>
  );
}

/** The sessions of a machine, folded: there may be hundreds. */
function MachineSessions({ sessions }: { readonly sessions: readonly Session[] }) {
  const live = useLive();
  const [isOpen, setOpen] = useState(false);
  if (sessions.length === 0) {
    return <div className="text-small text-dim">{text.sessions(0)}</div>;
  }
  return (
    <details className="text-small" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-dim">{text.sessions(sessions.length)}</summary>
      {isOpen && (
        <ul
          className="flex max-h-80 flex-col gap-1 overflow-y-auto pt-1.5"
          data-role="machine-sessions"
        >
          {sessions.map((session) => (
            <li key={session.id} className="flex items-center gap-2">
              <LampView lamp={currentLamp(session, live)} quiet />
              <Link href={sessionPath(session.id)} className="link min-w-0 truncate">
                {inert(session.title)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** A pairing code and the devices that existed before it. */
interface CreatedCode {
  readonly pairing: Pairing;
  readonly before: ReadonlySet<string>;
}

/** Creates a pairing code for another machine and shows the command to run there. */
function AddMachine() {
  const { client } = useAppContext();
  const [made, setMade] = useState<CreatedCode>();
  const [added, setAdded] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const create = async () => {
    setProblem(undefined);
    setMade(undefined);
    setAdded(undefined);
    try {
      const before = new Set((await client.devices()).map(({ id }) => id));
      setMade({ pairing: await client.createPairing("runner"), before });
    } catch (failure) {
      setProblem(errorMessage(failure));
    }
  };
  const onUsed = useCallback(({ name }: DeviceView) => {
    setMade(undefined);
    setAdded(name);
  }, []);
  return (
    <div className="md:-mt-3 flex flex-col gap-3">
      {made && (
        <SettingsBox>
          <MachineInstructions made={made} onUsed={onUsed} />
        </SettingsBox>
      )}
      <FormProblem problem={problem} />
      {added !== undefined && <p role="status">{text.added(inert(added))}</p>}
      <button
        type="button"
        className="button self-start"
        data-role="add-machine"
        onClick={() => void create()}
      >
        {text.add}
      </button>
    </div>
  );
}

/** Instructions for the other machine. The code is typed there, so that it appears on no command line. */
function MachineInstructions(props: {
  readonly made: CreatedCode;
  readonly onUsed: (device: DeviceView) => void;
}) {
  const { pairing, before } = props.made;
  useCodeUsed(before, "runner", props.onUsed);
  const left = pairing.expiresAt - useSeconds();
  if (left <= 0) return <p className="px-3.5 py-2.5 text-dim">{text.expired}</p>;
  const command = `npx signalbox runner --hub ${new URL(pairing.url).origin}`;
  return (
    <div className="flex flex-col gap-1.5 px-3.5 py-3 text-control" data-role="machine-directions">
      <p>{text.run}</p>
      <p className="flex items-center gap-2">
        <code className="font-mono wrap-anywhere" data-role="machine-command">
          {command}
        </code>
        <CopyButton text={command} what={text.command} />
      </p>
      <p>{text.enterCode}</p>
      <p className="flex items-center gap-2">
        <code className="font-mono text-large" data-role="machine-code">
          {pairing.code}
        </code>
        <CopyButton text={pairing.code} what={text.code} />
      </p>
      <p className="text-small text-dim">{text.expiresIn(formatCountdown(left))}</p>
      {isLoopbackUrl(pairing.url) && <p className="text-small text-dim">{text.loopback}</p>}
    </div>
  );
}
