import type { RelayState } from "@signalbox/api";
import type { Session } from "@signalbox/client";
import { useCallback, useState } from "react";
import { requestConfirmation } from "../navigation/confirm.ts";
import { Link } from "../navigation/link.tsx";
import { openConnect } from "../navigation/overlays.ts";
import { sessionPath } from "../navigation/router.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useBoard, useMayDecide, useMayDrive, useSessions } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { inert } from "../text/visible.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useLoad } from "../ui/use-load.ts";
import { SettingRow, SettingsBox, SettingsGroup, SwitchRow } from "./setting-parts.tsx";

const text = settingsStrings.relay;

/** A session's address and secret, which are shown once. */
interface Invitation {
  readonly session: string;
  readonly url: string;
  readonly secret: string;
}

/** Agents that run elsewhere and connect to this hub by themselves. */
export function Relay() {
  const isOn = useBoard((view) => view.runners.some(({ relay }) => relay === true));
  const mayDrive = useMayDrive();
  const address = `${location.origin.replace(/^http/, "ws")}/ws/cli/`;
  return (
    <>
      <p className="md:-mt-4 text-control text-dim">{text.intro}</p>
      <SettingsBox>
        <RelaySwitch />
        {isOn && (
          <SettingRow label={text.address} hint={text.addressHint}>
            <code className="font-mono text-small wrap-anywhere">{address}</code>
            <CopyButton text={address} what={text.theAddress} />
          </SettingRow>
        )}
      </SettingsBox>
      {isOn && <Connections mayDrive={mayDrive} />}
      {mayDrive ? (
        <SettingsBox>
          <SettingRow label={text.neighbors} hint={text.neighborsHint}>
            <button type="button" className="button" onClick={openConnect}>
              {text.showNeighbors}
            </button>
          </SettingRow>
        </SettingsBox>
      ) : (
        <p className="text-control text-dim">{text.viewer}</p>
      )}
    </>
  );
}

/** The setting, and what the next start of the hub changes. */
function RelaySwitch() {
  const { client, toasts } = useAppContext();
  const mayChange = useMayDecide();
  const { state, reload } = useLoad(useCallback(() => client.relay(), [client]));
  const change = async (on: boolean) => {
    try {
      await client.setRelay(on);
    } catch (failure) {
      toasts.showError(text.couldNotChange, failure);
    }
    reload();
  };
  return (
    <LoadedContent state={state}>
      {(relay) => (
        <SwitchRow
          label={text.status}
          hint={<span data-role="relay-state">{describeRelay(relay)}</span>}
          isOn={relay.on}
          isDisabled={!mayChange}
          role="relay"
          onChange={(on) => void change(on)}
        />
      )}
    </LoadedContent>
  );
}

function describeRelay({ on, running, startOption }: RelayState): string {
  if (startOption) return text.startOption;
  if (on === running) return on ? text.onHint : text.offHint;
  return running ? text.offAtNextStart : text.onAtNextStart;
}

function Connections({ mayDrive }: { readonly mayDrive: boolean }) {
  const { client, toasts } = useAppContext();
  const sessions = useSessions().filter(({ dialled }) => dialled !== undefined);
  const [invitation, setInvitation] = useState<Invitation>();
  const invite = useCallback(
    async (session?: string) => {
      setInvitation(undefined);
      try {
        setInvitation(await client.inviteAgent(session === undefined ? {} : { session }));
      } catch (failure) {
        toasts.showError(text.couldNotCreate, failure);
      }
    },
    [client, toasts],
  );
  const renew = async (session: string) => {
    const isConfirmed = await requestConfirmation({
      title: text.newSecretTitle,
      text: text.newSecretText,
      confirmLabel: text.newSecret,
    });
    if (isConfirmed) await invite(session);
  };
  return (
    <SettingsGroup title={text.connections} hint={text.secretHint}>
      {sessions.length === 0 ? (
        <p className="text-control text-dim">{text.noConnections}</p>
      ) : (
        <SettingsBox>
          {sessions.map((session) => (
            <ConnectionRow
              key={session.id}
              session={session}
              onRenew={mayDrive ? () => void renew(session.id) : undefined}
            />
          ))}
        </SettingsBox>
      )}
      {invitation && <InvitationBox invitation={invitation} />}
      {mayDrive && (
        <button
          type="button"
          className="button self-start"
          data-role="invite-agent"
          onClick={() => void invite()}
        >
          {text.create}
        </button>
      )}
    </SettingsGroup>
  );
}

function ConnectionRow(props: {
  readonly session: Session;
  readonly onRenew: (() => void) | undefined;
}) {
  const { session, onRenew } = props;
  const { dialled } = session;
  const title = inert(session.title);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2.5">
      <div className="min-w-48 flex-1">
        <Link href={sessionPath(session.id)} className="block truncate font-medium">
          {title}
        </Link>
        <div className="text-small text-dim">
          {dialled?.connected === true ? text.connected : text.notConnected}
          {dialled && dialled.since > 0 && (
            <>
              {" · "}
              <RelativeTime at={dialled.since} />
            </>
          )}
        </div>
      </div>
      {onRenew && (
        <button
          type="button"
          className="button"
          aria-label={text.newSecretLabel(title)}
          onClick={onRenew}
        >
          {text.newSecret}
        </button>
      )}
    </div>
  );
}

function InvitationBox({ invitation: { url, secret } }: { readonly invitation: Invitation }) {
  const command = `signalbox dial ${url} -- claude`;
  return (
    <div className="box flex flex-col gap-1.5 px-3.5 py-3 text-control" role="status">
      <p>{text.created}</p>
      <p className="flex items-center gap-2">
        <code className="font-mono text-small wrap-anywhere" data-role="relay-address">
          {command}
        </code>
        <CopyButton text={command} what={text.theAddress} />
      </p>
      <p className="flex items-center gap-2">
        <code className="font-mono text-small wrap-anywhere" data-role="relay-secret">
          {secret}
        </code>
        <CopyButton text={secret} what={text.theSecret} />
      </p>
    </div>
  );
}
