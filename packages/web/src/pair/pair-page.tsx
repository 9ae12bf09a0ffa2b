import { pairDevice } from "@signalbox/client";
import { type FormEvent, useState } from "react";
import { type Credential, saveCredential, pairWithNewKey } from "../storage/credential.ts";
import type { Database } from "../storage/database.ts";
import { suggestDeviceName } from "./code.ts";
import { SingleCardPage } from "./single-card-page.tsx";
import { useCodeRole } from "./use-code-role.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { strings } from "../strings/strings.ts";

const text = strings.pairing;

interface Props {
  readonly database: Database;
  readonly code?: string;
  readonly onPaired: (credential: Credential) => void;
}

/** Pairs this browser with a one-time code. */
export function PairPage({ database, code: given, onPaired }: Props) {
  const [code, setCode] = useState(given ?? "");
  const [name, setName] = useState(() => suggestDeviceName(navigator.userAgent));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  // A field for another code appears if the one in the address does not work.
  const [typed, setTyped] = useState(given === undefined);
  const role = useCodeRole(code);
  const submit = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const asked = { url: location.origin, code: code.trim(), name: name.trim() };
      const made = await pairWithNewKey((publicKey) => pairDevice({ ...asked, publicKey }));
      await saveCredential(database, made);
      onPaired(made);
    } catch (failure) {
      setProblem(errorMessage(failure));
      setTyped(true);
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <SingleCardPage title={text.title}>
      <p className="text-dim">{text.intro}</p>
      {!database.isPersistent && <p className="text-failed">{text.notPersistent}</p>}
      <form className="flex flex-col gap-3" onSubmit={onSubmit}>
        {typed && (
          <label className="flex flex-col gap-1">
            <span className="text-small text-dim">{text.code}</span>
            <input
              className="field font-mono"
              autoComplete="off"
              data-role="code"
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          </label>
        )}
        <label className="flex flex-col gap-1">
          <span className="text-small text-dim">{text.name}</span>
          <input
            className="field"
            maxLength={100}
            data-role="device-name"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        {role !== undefined && (
          <p role="status" data-role="becomes">
            <span className="text-dim">{text.role}</span> {text.roles[role]}
          </p>
        )}
        {problem !== undefined && (
          <p className="text-failed" role="alert">
            {problem}
          </p>
        )}
        <div>
          <button
            type="submit"
            className="button button-solid"
            data-role="pair"
            disabled={busy || code.trim() === "" || name.trim() === ""}
          >
            {busy ? text.pairing : text.pair}
          </button>
        </div>
      </form>
      {typed && (
        <p className="text-small text-dim">
          {text.help} <code>signalbox pair</code> {text.helpEnd}
        </p>
      )}
    </SingleCardPage>
  );
}
