import { X } from "lucide-react";
import { strings } from "../strings/strings.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { newVariable, type VariableDraft } from "./variable-draft.ts";

const text = strings.sessionOptions;

interface Props {
  readonly variables: readonly VariableDraft[];
  /** What the names are. Headers, and the variables of an MCP server, are always secrets. */
  readonly kind: "variable" | "header";
  readonly areAlwaysSecret?: boolean;
  readonly role: string;
  readonly onChange: (variables: readonly VariableDraft[]) => void;
}

/** Environment variables or headers. The values of secrets can be written and not be read. */
export function VariableRows({ variables, kind, areAlwaysSecret = false, role, onChange }: Props) {
  const change = (id: string, part: Partial<VariableDraft>) =>
    onChange(variables.map((each) => (each.id === id ? { ...each, ...part } : each)));
  const nameLabel = kind === "variable" ? text.variable : text.header;
  return (
    <div className="col-span-full flex flex-col items-start gap-2">
      {variables.map(({ id, name, value, isSecret, isStored }, at) => (
        <div
          key={id}
          className="flex w-full items-center gap-2 max-sm:flex-wrap"
          data-role={`${role}-row`}
        >
          <input
            className="field min-w-0 flex-1 font-mono text-small"
            aria-label={`${nameLabel} ${at + 1}`}
            data-role={`${role}-name`}
            placeholder={nameLabel}
            spellCheck={false}
            autoComplete="off"
            value={name}
            onChange={(event) => change(id, { name: event.target.value, isStored: false })}
          />
          <input
            className="field min-w-0 flex-2 font-mono text-small"
            aria-label={`${text.value} ${at + 1}`}
            data-role={`${role}-value`}
            type={isSecret ? "password" : "text"}
            placeholder={isStored ? text.secretStored : text.value}
            spellCheck={false}
            autoComplete="new-password"
            value={value}
            onChange={(event) => change(id, { value: event.target.value })}
          />
          {!areAlwaysSecret && (
            <label className="choice shrink-0 text-control">
              <input
                type="checkbox"
                data-role={`${role}-secret`}
                checked={isSecret}
                onChange={() => change(id, { isSecret: !isSecret, isStored: false })}
              />
              {text.secret}
            </label>
          )}
          <IconButton
            icon={X}
            label={text.removeVariable(name)}
            onClick={() => onChange(variables.filter((each) => each.id !== id))}
          />
        </div>
      ))}
      <button
        type="button"
        className="button button-small"
        data-role={`add-${role}`}
        onClick={() => onChange([...variables, newVariable("", true)])}
      >
        {kind === "variable" ? text.addVariable : text.addHeader}
      </button>
    </div>
  );
}
