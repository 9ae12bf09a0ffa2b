import type { PolicyName, SessionDefaults } from "@signalbox/api";
import { useCallback } from "react";
import { listPermissions } from "../session-info/permissions.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useMayDecide } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";
import { limitOptions, NO_LIMIT, parseLimit } from "./ask-limit.ts";
import { ChoiceRow, SettingsBox, SettingsGroup } from "./setting-parts.tsx";

const text = settingsStrings.permissions;

type OnTimeout = NonNullable<SessionDefaults["askLimit"]>["onTimeout"];

const timeoutOptions = (["deny", "deny-and-stop"] as const).map((value) => ({
  value,
  label: text.timeoutOptions[value],
}));

/** What applies to new sessions, and how long requests wait. */
export function Permissions() {
  const { client } = useAppContext();
  const { state, reload } = useLoad(useCallback(() => client.sessionDefaults(), [client]));
  return (
    <LoadedContent state={state}>
      {(defaults) => <DefaultsForm defaults={defaults} onSaved={reload} />}
    </LoadedContent>
  );
}

function DefaultsForm(props: { readonly defaults: SessionDefaults; readonly onSaved: () => void }) {
  const { defaults, onSaved } = props;
  const { client, toasts } = useAppContext();
  const mayChange = useMayDecide();
  const { permission, askLimit } = defaults;
  const save = async (change: Partial<SessionDefaults>) => {
    try {
      await client.setSessionDefaults({ ...defaults, ...change });
    } catch (failure) {
      toasts.showError(text.couldNotSave, failure);
    }
    onSaved();
  };
  const choices = listPermissions("autonomous", true).filter(({ value }) => value !== "autonomous");
  const onTimeout = askLimit?.onTimeout ?? "deny";
  return (
    <>
      {!mayChange && (
        <p className="text-control text-dim">{settingsStrings.readOnly("approver")}</p>
      )}
      <SettingsGroup title={text.newSessions}>
        <SettingsBox>
          <ChoiceRow<PolicyName>
            label={text.permission}
            hint={text.permissionHint}
            value={permission}
            options={choices}
            isDisabled={!mayChange}
            role="default-permission"
            onChange={(next) => void save({ permission: next as SessionDefaults["permission"] })}
          />
        </SettingsBox>
      </SettingsGroup>
      <SettingsGroup title={text.requests}>
        <SettingsBox>
          <ChoiceRow
            label={text.limit}
            hint={text.limitHint}
            value={askLimit === null ? NO_LIMIT : String(askLimit.minutes)}
            options={limitOptions(askLimit?.minutes)}
            isDisabled={!mayChange}
            role="ask-limit"
            onChange={(value) => {
              const minutes = parseLimit(value);
              void save({ askLimit: minutes === undefined ? null : { minutes, onTimeout } });
            }}
          />
          {askLimit !== null && (
            <ChoiceRow<OnTimeout>
              label={text.onTimeout}
              hint={text.onTimeoutHint}
              value={onTimeout}
              options={timeoutOptions}
              isDisabled={!mayChange}
              role="ask-limit-timeout"
              onChange={(next) => void save({ askLimit: { ...askLimit, onTimeout: next } })}
            />
          )}
        </SettingsBox>
      </SettingsGroup>
    </>
  );
}
