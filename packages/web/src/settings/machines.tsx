import type { DeviceView, Pairing, RunnerView } from "@signalbox/api";
import { useCallback, useState } from "react";
import { formatElapsed } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { requestConfirmation, type ConfirmOptions } from "../navigation/confirm.ts";
import { useSeconds } from "../store/clock.ts";
import { useMachines } from "../store/machines.ts";
import { useMayDecide } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useCodeUsed } from "./use-code-used.ts";
import { isLoopback } from "./loopback.ts";
import { errorMessage } from "../text/error-message.ts";

/** The machines on which agents run. Approvers can add and remove them. */
export function Machines() {
  const machines = useMachines();
  const mayDecide = useMayDecide();
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col" data-role="machines">
        {machines.map((machine) => (
          <Machine key={machine.id} machine={machine} mayRemove={mayDecide && !machine.own} />
        ))}
      </ul>
      {mayDecide ? (
        <AddMachine />
      ) : (
        <p className="text-dim">A device that may answer requests adds machines.</p>
      )}
    </div>
  );
}

function createRemoveConfirmation(name: string): ConfirmOptions {
  return {
    title: `Remove the machine "${name}"?`,
    text: "Its agents end. What was said in its sessions stays. To come back it must be added again.",
    confirmLabel: `Remove "${name}"`,
  };
}

function Machine({ machine, mayRemove }: { machine: RunnerView; mayRemove: boolean }) {
  const { client, toasts } = useAppContext();
  const name = inert(machine.machine);
  const remove = async () => {
    if (!(await requestConfirmation(createRemoveConfirmation(name)))) return;
    try {
      await client.revokeDevice(machine.id);
    } catch (failure) {
      toasts.showError("The machine was not removed", failure);
    }
  };
  return (
    <li className="flex items-center gap-3 border-b border-line py-1.5" data-machine={machine.id}>
      <span className="min-w-0 grow">
        {name} {machine.own && <span className="text-small text-dim">the hub's own</span>}
        <span className="block text-small text-dim">
          {machine.online ? "connected" : "away"} · {machine.runs} running
        </span>
      </span>
      {mayRemove && (
        <button
          type="button"
          className="button button-danger shrink-0"
          aria-label={`Remove the machine ${name}`}
          onClick={() => void remove()}
        >
          Remove
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
  const make = async () => {
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
    <div className="flex flex-col items-start gap-2">
      <button type="button" className="button" data-role="add-machine" onClick={() => void make()}>
        Add a machine
      </button>
      {problem !== undefined && (
        <p className="text-failed" role="alert">
          {problem}
        </p>
      )}
      {added !== undefined && <p role="status">{inert(added)} was added.</p>}
      {made && <MachineInstructions made={made} onUsed={onUsed} />}
    </div>
  );
}

/** Instructions for the other machine. The code is typed there, so that it appears on no command line. */
function MachineInstructions({
  made,
  onUsed,
}: {
  made: CreatedCode;
  onUsed: (device: DeviceView) => void;
}) {
  const { pairing, before } = made;
  useCodeUsed(before, "runner", onUsed);
  const left = pairing.expiresAt - useSeconds();
  if (left <= 0) return <p className="text-dim">This code has run out. Make another.</p>;
  const { origin } = new URL(pairing.url);
  const command = `npx signalbox runner --hub ${origin}`;
  return (
    <div className="flex flex-col gap-1" data-role="machine-directions">
      <p>On the other machine, where Signalbox is installed, run:</p>
      <p className="flex items-center gap-2">
        <code className="wrap-anywhere" data-role="machine-command">
          {command}
        </code>
        <CopyButton text={command} what="the command" />
      </p>
      <p>
        and give it this code when it asks. It works once, for another {formatElapsed(left)}:{" "}
        <code data-role="machine-code">{pairing.code}</code>
      </p>
      {isLoopback(pairing.url) && (
        <p className="max-w-reading text-small text-dim">
          This hub listens on its own machine alone, so no other machine reaches that address. It
          must be started with a name and TLS, or behind a proxy that has them:{" "}
          <code>signalbox serve --help</code>.
        </p>
      )}
    </div>
  );
}
