import type { Session } from "@signalbox/client";
import { useMayDecide } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { ControlResult } from "./control-result.tsx";
import { useControl } from "./use-control.ts";
import { strings } from "../strings/strings.ts";

const text = strings.panels.mcp;

interface Server {
  readonly name: string;
  readonly status: string;
  readonly scope?: string;
  readonly error?: string;
  readonly tools?: readonly { readonly name: string }[];
}

/** The session's MCP servers and their status. */
export default function McpPanel({ session }: { session: Session }) {
  const { client, toasts } = useAppContext();
  const mayReconnect = useMayDecide(); // Reconnecting starts the server's program again.
  const { answer, reload } = useControl<{ mcpServers?: readonly Server[] }>(session, "mcp_status");
  const reconnect = async (name: string) => {
    try {
      await client.control(session.id, "mcp_reconnect", { serverName: name });
    } catch (failure) {
      toasts.showError(text.couldNotReconnect, failure);
    }
    reload();
  };
  return (
    <ControlResult answer={answer} reload={reload}>
      {({ mcpServers = [] }) =>
        mcpServers.length === 0 ? (
          <p className="text-small text-dim">{text.none}</p>
        ) : (
          <ul className="flex flex-col gap-3">
            {mcpServers.map(({ name, status, scope, error, tools = [] }) => (
              <li key={name}>
                <div className="flex items-baseline gap-2">
                  <span className="font-semibold">{name}</span>
                  <span
                    className={`text-small ${status === "failed" ? "text-failed" : "text-dim"}`}
                  >
                    {status}
                    {scope !== undefined && ` · ${scope}`}
                  </span>
                  {status !== "connected" && mayReconnect && (
                    <button
                      type="button"
                      className="button ml-auto"
                      onClick={() => void reconnect(name)}
                    >
                      {text.reconnect}
                    </button>
                  )}
                </div>
                {error !== undefined && <p className="text-small text-failed">{error}</p>}
                {tools.length > 0 && (
                  <details className="text-small text-dim">
                    <summary className="cursor-pointer pointer-coarse:py-3.5">
                      {text.tools(tools.length)}
                    </summary>
                    <p className="font-mono wrap-anywhere">
                      {tools.map((tool) => tool.name).join(", ")}
                    </p>
                  </details>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </ControlResult>
  );
}
