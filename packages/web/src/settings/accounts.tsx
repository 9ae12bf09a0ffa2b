import type { Environments, NewEnvironments } from "@signalbox/api";
import { Plus, X } from "lucide-react";
import { useCallback, useState } from "react";
import { requestConfirmation } from "../navigation/confirm.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useDevice } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { inert } from "../text/visible.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";
import {
  findProfileProblem,
  fromProfileDraft,
  newVariable,
  type ProfileDraft,
  toProfileDraft,
  type VariableDraft,
} from "./profile-form.ts";
import { FormProblem, SettingsBox, TextField } from "./setting-parts.tsx";

const text = settingsStrings.accounts;
const common = settingsStrings;

/** Named sets of environment variables: Claude accounts, gateways and others. */
export function Accounts() {
  const isAdmin = useDevice().role === "admin";
  return (
    <>
      <p className="md:-mt-4 text-control text-dim">{text.intro}</p>
      {isAdmin ? <Profiles /> : <ProfileNames />}
    </>
  );
}

function ProfileNames() {
  const { client } = useAppContext();
  const { state } = useLoad(useCallback(() => client.environmentNames(), [client]));
  return (
    <>
      <p className="text-control text-dim">{text.hidden}</p>
      <LoadedContent state={state}>
        {(names) =>
          names.length === 0 ? (
            <p className="text-dim">{text.none}</p>
          ) : (
            <SettingsBox>
              {names.map((name) => (
                <div key={name} className="px-3.5 py-2.5">
                  {inert(name)}
                </div>
              ))}
            </SettingsBox>
          )
        }
      </LoadedContent>
    </>
  );
}

function Profiles() {
  const { client } = useAppContext();
  const { state, reload } = useLoad(useCallback(() => client.environments(), [client]));
  return (
    <LoadedContent state={state}>
      {(profiles) => <ProfileList profiles={profiles} onSaved={reload} />}
    </LoadedContent>
  );
}

/** What a new profile begins with. */
const templates: readonly {
  readonly label: string;
  readonly role: string;
  readonly variables: () => readonly VariableDraft[];
}[] = [
  {
    label: text.addAccount,
    role: "add-account",
    variables: () => [newVariable("CLAUDE_CONFIG_DIR")],
  },
  {
    label: text.addGateway,
    role: "add-gateway",
    variables: () => [newVariable("ANTHROPIC_BASE_URL"), newVariable("ANTHROPIC_AUTH_TOKEN", true)],
  },
  { label: text.addProfile, role: "add-profile", variables: () => [newVariable()] },
];

function ProfileList(props: { readonly profiles: Environments; readonly onSaved: () => void }) {
  const { profiles, onSaved } = props;
  const { client, toasts } = useAppContext();
  const [edited, setEdited] = useState<string>();
  const [created, setCreated] = useState<readonly VariableDraft[]>();
  const saveAll = async (next: NewEnvironments) => {
    await client.setEnvironments(next);
    setEdited(undefined);
    setCreated(undefined);
    onSaved();
  };
  const remove = async (name: string) => {
    const isConfirmed = await requestConfirmation({
      title: text.removeTitle(name),
      text: text.removeText,
      confirmLabel: text.remove(name),
    });
    if (!isConfirmed) return;
    const { [name]: _removed, ...rest } = profiles;
    await saveAll(rest).catch((failure: unknown) => toasts.showError(text.couldNotSave, failure));
  };
  const names = Object.keys(profiles);
  const cancel = () => {
    setEdited(undefined);
    setCreated(undefined);
  };
  return (
    <>
      {names.length === 0 && !created && <p className="text-dim">{text.none}</p>}
      {names.length > 0 && (
        <SettingsBox>
          {Object.entries(profiles).map(([name, variables]) =>
            edited === name ? (
              <ProfileForm
                key={name}
                initial={toProfileDraft(name, variables)}
                isNew={false}
                others={[]}
                onSave={(draft) => saveAll({ ...profiles, [name]: fromProfileDraft(draft) })}
                onCancel={cancel}
              />
            ) : (
              <ProfileRow
                key={name}
                name={name}
                variables={variables}
                onEdit={() => {
                  setCreated(undefined);
                  setEdited(name);
                }}
                onRemove={() => void remove(name)}
              />
            ),
          )}
        </SettingsBox>
      )}
      {created ? (
        <SettingsBox>
          <ProfileForm
            initial={{ name: "", variables: created }}
            isNew
            others={names}
            onSave={(draft) =>
              saveAll({ ...profiles, [draft.name.trim()]: fromProfileDraft(draft) })
            }
            onCancel={cancel}
          />
        </SettingsBox>
      ) : (
        <div className="flex flex-wrap gap-2">
          {templates.map(({ label, role, variables }) => (
            <button
              key={role}
              type="button"
              className="button"
              data-role={role}
              onClick={() => {
                setEdited(undefined);
                setCreated(variables());
              }}
            >
              <Plus aria-hidden="true" />
              {label}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

function ProfileRow(props: {
  readonly name: string;
  readonly variables: Environments[string];
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { name, variables, onEdit, onRemove } = props;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2.5" data-profile={name}>
      <div className="min-w-48 flex-1">
        <div className="font-medium">{inert(name)}</div>
        <ul className="text-small text-dim">
          {Object.entries(variables).map(([variable, storedValue]) => (
            <li key={variable} className="wrap-anywhere">
              <span className="font-mono">{variable}</span>{" "}
              {storedValue === null ? (
                text.secret
              ) : (
                <span className="font-mono">{inert(storedValue.value)}</span>
              )}
            </li>
          ))}
        </ul>
      </div>
      <div className="flex gap-2">
        <button
          type="button"
          className="button"
          aria-label={text.edit(inert(name))}
          onClick={onEdit}
        >
          {common.edit}
        </button>
        <button
          type="button"
          className="button button-danger"
          aria-label={text.remove(inert(name))}
          onClick={onRemove}
        >
          {common.remove}
        </button>
      </div>
    </div>
  );
}

interface FormProps {
  readonly initial: ProfileDraft;
  readonly isNew: boolean;
  readonly others: readonly string[];
  readonly onSave: (draft: ProfileDraft) => Promise<void>;
  readonly onCancel: () => void;
}

function ProfileForm({ initial, isNew, others, onSave, onCancel }: FormProps) {
  const [draft, setDraft] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { variables } = draft;
  const change = (part: Partial<ProfileDraft>) => {
    setDraft((current) => ({ ...current, ...part }));
    setProblem(undefined);
  };
  const changeVariable = (id: string, part: Partial<VariableDraft>) =>
    change({ variables: variables.map((each) => (each.id === id ? { ...each, ...part } : each)) });
  const save = async () => {
    const found = findProfileProblem(draft, others);
    setProblem(found);
    if (found !== undefined) return;
    setBusy(true);
    try {
      await onSave(draft);
    } catch (failure) {
      setProblem(errorMessage(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-3 p-3.5"
      data-role="profile-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={text.name}
        value={draft.name}
        role="profile-name"
        isDisabled={!isNew}
        onChange={(name) => change({ name })}
      />
      <ul className="flex flex-col gap-2">
        {variables.map((variable, at) => (
          <VariableRow
            key={variable.id}
            variable={variable}
            number={at + 1}
            onChange={(part) => changeVariable(variable.id, part)}
            onRemove={() => change({ variables: variables.filter(({ id }) => id !== variable.id) })}
          />
        ))}
      </ul>
      {variables.some(({ name }) => name.trim() === "CLAUDE_CONFIG_DIR") && (
        <p className="text-small text-dim">{text.accountHint}</p>
      )}
      {variables.some(({ isSecret }) => isSecret) && (
        <p className="text-small text-dim">{text.secretHint}</p>
      )}
      <FormProblem problem={problem} />
      <div className="flex flex-wrap gap-2">
        <button
          type="submit"
          className="button button-solid"
          data-role="save-profile"
          disabled={busy}
        >
          {common.save}
        </button>
        <button
          type="button"
          className="button"
          data-role="add-variable"
          onClick={() => change({ variables: [...variables, newVariable()] })}
        >
          {text.addVariable}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {common.cancel}
        </button>
      </div>
    </form>
  );
}

function VariableRow(props: {
  readonly variable: VariableDraft;
  readonly number: number;
  readonly onChange: (part: Partial<VariableDraft>) => void;
  readonly onRemove: () => void;
}) {
  const { variable, number, onChange, onRemove } = props;
  const { name, value, isSecret, isStored } = variable;
  return (
    <li className="flex flex-wrap items-center gap-2" data-role="variable">
      <input
        className="field min-w-40 flex-1 font-mono text-small"
        aria-label={`${text.variable} ${number}`}
        data-role="variable-name"
        placeholder={text.variable}
        spellCheck={false}
        autoComplete="off"
        value={name}
        onChange={(event) => onChange({ name: event.target.value, isStored: false })}
      />
      <input
        className="field min-w-40 flex-2 font-mono text-small"
        aria-label={`${text.value} ${number}`}
        data-role="variable-value"
        type={isSecret ? "password" : "text"}
        placeholder={isStored ? text.secretStored : text.value}
        spellCheck={false}
        autoComplete="new-password"
        value={value}
        onChange={(event) => onChange({ value: event.target.value })}
      />
      <label className="choice text-control">
        <input
          type="checkbox"
          data-role="variable-secret"
          checked={isSecret}
          onChange={() => onChange({ isSecret: !isSecret, ...(isStored && { isStored: false }) })}
        />
        {text.secret}
      </label>
      <IconButton icon={X} label={text.removeVariable(name)} onClick={onRemove} />
    </li>
  );
}
