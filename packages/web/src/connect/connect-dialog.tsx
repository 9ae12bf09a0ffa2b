import { useCallback, useEffect } from "react";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";
import { Modal } from "../ui/modal.tsx";
import { useAppContext } from "../store/app-context.tsx";
import { type NeighborRow, describeNeighbors } from "./neighbor-rows.ts";
import { strings } from "../strings/strings.ts";

const text = strings.connect;

const REFRESH_MS = 5000;

/**
 * Lists other hubs and relays on the hub's machine. The hub looks for them every five seconds while this is
 * open.
 */
export default function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  const { client, toasts } = useAppContext();
  const { state, reload } = useLoad(useCallback(() => client.discover(), [client]));
  useEffect(() => {
    const timer = setInterval(reload, REFRESH_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const change = async (port: number, action: "attach" | "detach") => {
    try {
      await (action === "attach" ? client.attachRelay(port) : client.detachRelay(port));
      reload();
    } catch (failure) {
      toasts.showError(text.couldNotChange(port), failure);
    }
  };
  return (
    <Modal title={text.title} onClose={onClose}>
      <div className="flex flex-col gap-3 overflow-y-auto p-4" data-role="connect">
        <p className="text-small text-dim">{text.intro}</p>
        <LoadedContent state={state}>
          {(neighbors) =>
            neighbors.length === 0 ? (
              <div>
                <p>{text.none}</p>
                <p className="mt-1 text-small text-dim">
                  {text.dialHint} <code className="font-mono">{text.dialCommand}</code>
                </p>
              </div>
            ) : (
              <ul className="flex flex-col">
                {describeNeighbors(neighbors).map((row) => (
                  <Row key={row.port} row={row} onChange={change} />
                ))}
              </ul>
            )
          }
        </LoadedContent>
      </div>
    </Modal>
  );
}

function Row(props: {
  readonly row: NeighborRow;
  readonly onChange: (port: number, action: "attach" | "detach") => Promise<void>;
}) {
  const { port, label, action } = props.row;
  return (
    <li className="flex items-center gap-3 border-b border-line py-1.5">
      <span className="font-mono text-small">{port}</span>
      <span className="grow">{label}</span>
      {action === "open" && (
        <a className="button" href={`http://localhost:${port}/`} rel="noreferrer" target="_blank">
          {text.open}
        </a>
      )}
      {(action === "attach" || action === "detach") && (
        <button type="button" className="button" onClick={() => void props.onChange(port, action)}>
          {action === "attach" ? text.attach : text.detach}
        </button>
      )}
    </li>
  );
}
