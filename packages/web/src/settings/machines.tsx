import type { DeviceView, Pairing, RunnerView } from "@signalbox/api";
import { useCallback, useState } from "react";
import { type ConfirmOptions, requestConfirmation } from "../navigation/confirm.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useSeconds } from "../store/clock.ts";
import { useMachines } from "../store/machines.ts";
import { useMayDecide, useSessions } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { errorMessage } from "../text/error-message.ts";
import { formatCountdown } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { isLoopbackUrl } from "@signalbox/protocol/proxy";
import { FormProblem, SettingsBox } from "./setting-parts.tsx";
import { useCodeUsed } from "./use-code-used.ts";

const text = strings.settings.machines;

/** The machines on which agents run. Approvers can add and remove them. */
export function Machines() {
  const machines = useMachines();
  const mayDecide = useMayDecide();
  return (
    <>
      <p className="md:-mt-4 text-control text-dim">{text.intro}</p>
      <ul className="box divide-y divide-line" data-role="machines">
        {machines.map((machine) => (
          <Machine key={machine.id} machine={machine} mayRemove={mayDecide && !machine.own} />
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

function Machine({ machine, mayRemove }: { machine: RunnerView; mayRemove: boolean }) {
  const { client, toasts } = useAppContext();
  const name = inert(machine.machine);
  const count = useSessions().filter(({ runner }) => runner === machine.id).length;
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
    text.sessions(count),
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
        <div className="text-small text-dim">{facts.join(" · ")}</div>
      </div>
      {mayRemove && (
        <button
          type="button"
          className="button button-danger"
          aria-label={text.remove(name)}
          onClick={() => void remove()}
        >
          {strings.settings.remove}
        </button>
      )}
    </li>
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
