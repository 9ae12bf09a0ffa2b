import { useCallback, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { useDevice } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { inert } from "../text/visible.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";
import { FormProblem, SettingsBox, SettingsGroup } from "./setting-parts.tsx";

const text = strings.embedding;

/** The origins of other programs' pages that may use this hub. */
export function EmbeddingOrigins() {
  const { client } = useAppContext();
  const { role } = useDevice();
  const { state, reload } = useLoad(useCallback(() => client.embeddingOrigins(), [client]));
  const mayChange = role === "approver" || role === "admin";
  return (
    <SettingsGroup title={text.title} hint={text.intro}>
      <LoadedContent state={state}>
        {({ origins }) =>
          mayChange ? (
            <OriginsForm key={origins.join("\n")} origins={origins} onSaved={reload} />
          ) : (
            <OriginList origins={origins} />
          )
        }
      </LoadedContent>
    </SettingsGroup>
  );
}

function OriginList({ origins }: { readonly origins: readonly string[] }) {
  if (origins.length === 0) return <p className="text-control text-dim">{text.none}</p>;
  return (
    <ul className="font-mono text-small wrap-anywhere">
      {origins.map((origin) => (
        <li key={origin}>{inert(origin)}</li>
      ))}
    </ul>
  );
}

function OriginsForm(props: { readonly origins: readonly string[]; readonly onSaved: () => void }) {
  const { origins, onSaved } = props;
  const { client } = useAppContext();
  const [typed, setTyped] = useState(origins.join("\n"));
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    setProblem(undefined);
    const lines = typed.split("\n").map((line) => line.trim());
    try {
      await client.setEmbeddingOrigins(lines.filter((line) => line !== ""));
      onSaved();
    } catch (failure) {
      setProblem(errorMessage(failure));
    }
  };
  return (
    <SettingsBox>
      <form
        className="flex flex-col gap-2 px-3.5 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label className="flex flex-col gap-1">
          <span className="text-small text-dim">{text.field}</span>
          <textarea
            className="field font-mono text-small"
            data-role="embedding-origins"
            rows={2}
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <FormProblem problem={problem === undefined ? undefined : inert(problem)} />
        <div className="flex">
          <button
            type="submit"
            className="button"
            data-role="save-embedding-origins"
            disabled={typed === origins.join("\n")}
          >
            {text.save}
          </button>
        </div>
      </form>
    </SettingsBox>
  );
}
