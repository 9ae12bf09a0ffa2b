import { lazy, Suspense, useCallback, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { useMayDrive } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { inert } from "../text/visible.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useLoad } from "../ui/use-load.ts";
import { bundledLibraries } from "./licenses.ts";
import { SettingRow, SettingsBox, SettingsGroup } from "./setting-parts.tsx";

const text = settingsStrings.about;
const GeistLicense = lazy(() => import("./geist-license.tsx"));

/** Versions, the state of the database, documentation and licenses. */
export function About() {
  const { client } = useAppContext();
  const { state } = useLoad(useCallback(() => client.hub(), [client]));
  return (
    <>
      <LoadedContent state={state}>
        {({ version, hub, databaseCheck }) => (
          <SettingsBox>
            <SettingRow label={text.version}>
              <span data-role="version">{inert(version)}</span>
            </SettingRow>
            <SettingRow label={text.hub}>
              <code className="font-mono text-small wrap-anywhere">{hub}</code>
            </SettingRow>
            <DatabaseRow check={databaseCheck ?? null} />
          </SettingsBox>
        )}
      </LoadedContent>
      <SettingsGroup title={text.documentation} hint={text.documentationHint}>
        {null}
      </SettingsGroup>
      <Licenses />
    </>
  );
}

interface DatabaseCheck {
  readonly at: number;
  readonly problems: readonly string[];
}

function DatabaseRow({ check: last }: { readonly check: DatabaseCheck | null }) {
  const { client, toasts } = useAppContext();
  const mayDrive = useMayDrive();
  const [check, setCheck] = useState(last);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      setCheck({ problems: await client.integrity(), at: Date.now() });
    } catch (failure) {
      toasts.showError(text.checkDatabase, failure);
    }
    setBusy(false);
  };
  const hint = check && (
    <>
      {check.problems.length === 0 ? text.databaseOk : check.problems.map(inert).join(" ")}
      {" · "}
      {text.lastCheck} <RelativeTime at={check.at} />
    </>
  );
  return (
    <SettingRow label={text.database} {...(hint && { hint })}>
      {mayDrive && (
        <button type="button" className="button" disabled={busy} onClick={() => void run()}>
          {busy ? text.checking : text.checkDatabase}
        </button>
      )}
    </SettingRow>
  );
}

function Licenses() {
  const [isShown, setShown] = useState(false);
  return (
    <SettingsGroup title={text.licenses} hint={text.signalbox}>
      <SettingsBox>
        <SettingRow label={text.fonts} hint={text.geist}>
          <button
            type="button"
            className="button"
            aria-expanded={isShown}
            data-role="font-license"
            onClick={() => setShown(!isShown)}
          >
            {text.showLicense}
          </button>
        </SettingRow>
      </SettingsBox>
      {isShown && (
        <Suspense fallback={null}>
          <GeistLicense />
        </Suspense>
      )}
      <h4 className="pt-2 text-control text-dim">{text.libraries}</h4>
      <ul className="columns-2 text-small text-dim max-sm:columns-1">
        {bundledLibraries.map(({ name, license }) => (
          <li key={name}>
            {name} <span className="text-faint">{license}</span>
          </li>
        ))}
      </ul>
    </SettingsGroup>
  );
}
