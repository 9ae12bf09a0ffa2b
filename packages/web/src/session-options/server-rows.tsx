import { X } from "lucide-react";
import { strings } from "../strings/strings.ts";
import { ChoiceSelect } from "../ui/choice-select.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { newServer, type ServerDraft, type ServerKind } from "./server-draft.ts";
import { VariableRows } from "./variable-rows.tsx";

const text = strings.sessionOptions;

const kinds = (Object.keys(text.serverKinds) as ServerKind[]).map((value) => ({
  value,
  label: text.serverKinds[value],
}));

/** MCP servers: a command, or a URL, each with its variables or headers. */
export function ServerRows(props: {
  readonly servers: readonly ServerDraft[];
  readonly onChange: (servers: readonly ServerDraft[]) => void;
}) {
  const { servers, onChange } = props;
  return (
    <div className="col-span-full flex flex-col items-start gap-3">
      {servers.map((server, at) => (
        <ServerRow
          key={server.id}
          server={server}
          number={at + 1}
          onChange={(part) =>
            onChange(servers.map((each) => (each === server ? { ...each, ...part } : each)))
          }
          onRemove={() => onChange(servers.filter((each) => each !== server))}
        />
      ))}
      <button
        type="button"
        className="button button-small"
        data-role="add-server"
        onClick={() => onChange([...servers, newServer()])}
      >
        {text.addServer}
      </button>
    </div>
  );
}

function ServerRow(props: {
  readonly server: ServerDraft;
  readonly number: number;
  readonly onChange: (part: Partial<ServerDraft>) => void;
  readonly onRemove: () => void;
}) {
  const { server, number, onChange, onRemove } = props;
  const { name, kind, where, values } = server;
  const isCommand = kind === "stdio";
  return (
    <div
      className="flex w-full flex-col gap-2 rounded-control border border-line p-2.5"
      role="group"
      aria-label={`${text.server} ${number}`}
      data-role="server"
    >
      <div className="flex flex-wrap items-center gap-2">
        <input
          className="field max-w-44 min-w-0 flex-1"
          aria-label={text.serverName}
          data-role="server-name"
          placeholder={text.serverName}
          spellCheck={false}
          value={name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <ChoiceSelect
          label={text.serverKind}
          value={kind}
          options={kinds}
          role="server-kind"
          onChange={(next) => onChange({ kind: next })}
        />
        <span className="grow" />
        <IconButton icon={X} label={text.removeServer(name || String(number))} onClick={onRemove} />
      </div>
      <input
        className="field font-mono text-small"
        aria-label={isCommand ? text.serverCommand : text.serverUrl}
        data-role="server-where"
        placeholder={isCommand ? text.serverCommandPlaceholder : text.serverUrlPlaceholder}
        spellCheck={false}
        value={where}
        onChange={(event) => onChange({ where: event.target.value })}
      />
      <VariableRows
        variables={values}
        kind={isCommand ? "variable" : "header"}
        areAlwaysSecret
        role="server-variable"
        onChange={(next) => onChange({ values: next })}
      />
    </div>
  );
}
