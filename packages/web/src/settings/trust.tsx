import type { FolderTrust, TrustDecision } from "@signalbox/api";
import { useCallback, useState } from "react";
import { requestConfirmation } from "../navigation/confirm.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useMachines } from "../store/machines.ts";
import { useMayDrive } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { PathText } from "../text/path-text.tsx";
import { inert } from "../text/visible.ts";
import { FindingsList } from "../trust/findings-list.tsx";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useLoad } from "../ui/use-load.ts";
import { AllowedFolders } from "./allowed-folders.tsx";
import { SettingsBox, SettingsGroup } from "./setting-parts.tsx";

const text = settingsStrings.trust;

/** The folders whose own code may run, and those in which drivers may start sessions. */
export function TrustSection() {
  return (
    <>
      <SettingsGroup title={text.folders} hint={text.intro}>
        <Decisions />
      </SettingsGroup>
      <SettingsGroup title={text.allowedFolders} hint={text.allowedIntro}>
        <AllowedFolders />
      </SettingsGroup>
    </>
  );
}

function Decisions() {
  const { client } = useAppContext();
  const { state, reload } = useLoad(useCallback(() => client.trustDecisions(), [client]));
  return (
    <LoadedContent state={state}>
      {(decisions) =>
        decisions.length === 0 ? (
          <p className="text-control text-dim">{text.none}</p>
        ) : (
          <SettingsBox>
            {decisions.map((decision) => (
              <DecisionRow
                key={`${decision.runner}/${decision.folder}`}
                decision={decision}
                onRevoked={reload}
              />
            ))}
          </SettingsBox>
        )
      }
    </LoadedContent>
  );
}

function DecisionRow(props: { readonly decision: TrustDecision; readonly onRevoked: () => void }) {
  const { decision, onRevoked } = props;
  const { runner, folder, at, by } = decision;
  const { client, toasts } = useAppContext();
  const mayDrive = useMayDrive();
  const machines = useMachines();
  const [isOpen, setOpen] = useState(false);
  const machine = machines.length > 1 ? machines.find(({ id }) => id === runner) : undefined;
  const revoke = async () => {
    const isConfirmed = await requestConfirmation({
      title: text.revokeTitle(folder),
      text: text.revokeText,
      confirmLabel: text.revoke,
    });
    if (!isConfirmed) return;
    try {
      await client.revokeTrust({ runner, folder });
    } catch (failure) {
      toasts.showError(text.couldNotRevoke, failure);
    }
    onRevoked();
  };
  return (
    <div className="flex flex-col gap-2 px-3.5 py-2.5" data-folder={folder}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-48 flex-1">
          <PathText path={folder} whole={folder} className="font-mono text-control" />
          <div className="text-small text-dim">
            {decision.decision === "trusted" ? text.trusted : text.off} {text.by(inert(by))}
            {" · "}
            <RelativeTime at={at} />
            {machine && ` · ${inert(machine.machine)}`}
          </div>
        </div>
        {mayDrive && (
          <button
            type="button"
            className="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? text.hide : text.show}
          </button>
        )}
        {mayDrive && decision.decision === "trusted" && (
          <button
            type="button"
            className="button button-danger"
            aria-label={text.revokeLabel(inert(folder))}
            onClick={() => void revoke()}
          >
            {text.revoke}
          </button>
        )}
      </div>
      {isOpen && <FolderFindings runner={runner} folder={folder} />}
    </div>
  );
}

/** What a folder would run, as it is now. */
function FolderFindings({ runner, folder }: Pick<FolderTrust, "runner" | "folder">) {
  const { client } = useAppContext();
  const load = useCallback(() => client.folderTrust({ runner, folder }), [client, runner, folder]);
  const { state } = useLoad(load);
  return (
    <LoadedContent state={state}>
      {({ state: trust, findings }) =>
        findings.length === 0 ? (
          <p className="text-control text-dim">{text.nothing}</p>
        ) : (
          <>
            {trust === "changed" && <p className="text-control">{text.changed}</p>}
            <FindingsList findings={findings} />
          </>
        )
      }
    </LoadedContent>
  );
}
