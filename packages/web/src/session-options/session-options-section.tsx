import type { SessionOptions } from "@signalbox/api";
import type { Session } from "@signalbox/client";
import { SlidersHorizontal } from "lucide-react";
import { useCallback, useState } from "react";
import { type Fact, Facts } from "../items/parts/facts.tsx";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";
import { listOptionChanges, type OptionsDraft, toOptionsDraft } from "./options-draft.ts";
import { OptionsDialog } from "./options-dialog.tsx";
import { restartSession } from "./restart-session.ts";

const text = strings.sessionOptions;

/** What the agent of a session is started with, and how to change it. */
export function SessionOptionsSection({ session }: { session: Session }) {
  const app = useAppContext();
  const { client } = app;
  const { id } = session;
  // The board has the short options alone; when they change, all are loaded again.
  const version = JSON.stringify([session.agent, session.driver, session.options]);
  const load = useCallback(() => {
    void version;
    return client.sessionOptions(id);
  }, [client, id, version]);
  const { state, reload } = useLoad(load);
  return (
    <section aria-label={text.title} className="flex flex-col items-start gap-2">
      <h3 className="font-semibold">{text.title}</h3>
      {session.optionsPending === true && (
        <div className="flex w-full flex-wrap items-center gap-2" role="status">
          <p className="min-w-40 flex-1 text-dim">{text.pending}</p>
          <button
            type="button"
            className="button button-small"
            data-role="restart-session"
            onClick={() => void restartSession(app, session)}
          >
            {text.restart}
          </button>
        </div>
      )}
      <LoadedContent state={state}>
        {(options) => <LoadedOptions session={session} options={options} onSaved={reload} />}
      </LoadedContent>
    </section>
  );
}

function LoadedOptions(props: {
  readonly session: Session;
  readonly options: SessionOptions;
  readonly onSaved: () => void;
}) {
  const { session, options, onSaved } = props;
  const [isOpen, setOpen] = useState(false);
  const facts = listFacts(options);
  return (
    <>
      {facts.length === 0 ? <p className="text-dim">{text.none}</p> : <Facts facts={facts} />}
      <button
        type="button"
        className="button button-small"
        data-role="edit-options"
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal aria-hidden="true" />
        {text.edit}
      </button>
      {isOpen && (
        <SessionOptionsDialog
          session={session}
          options={options}
          onSaved={onSaved}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function SessionOptionsDialog(props: {
  readonly session: Session;
  readonly options: SessionOptions;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}) {
  const { session, options, onSaved, onClose } = props;
  const app = useAppContext();
  const isAlive = session.state === "running" || session.state === "starting";
  const save = async (draft: OptionsDraft) => {
    const change = listOptionChanges(options, draft);
    if (Object.keys(change).length > 0) await app.client.changeSessionOptions(session.id, change);
    onSaved();
    onClose();
  };
  return (
    <OptionsDialog
      initial={toOptionsDraft(options)}
      project={session}
      note={text.nextStart}
      onClose={onClose}
      footer={(submit, isBusy) => (
        <>
          <button type="button" className="button" onClick={onClose}>
            {text.cancel}
          </button>
          {isAlive && (
            <button
              type="button"
              className="button"
              data-role="save-and-restart"
              disabled={isBusy}
              onClick={() =>
                submit(async (draft) => {
                  await save(draft);
                  await restartSession(app, session);
                })
              }
            >
              {text.saveAndRestart}
            </button>
          )}
          <button
            type="button"
            className="button button-solid"
            data-role="save-options"
            disabled={isBusy}
            onClick={() => submit(save)}
          >
            {text.save}
          </button>
        </>
      )}
    />
  );
}

/** The options that are not among the facts about the session anyway. */
function listFacts(options: SessionOptions): readonly Fact[] {
  const { systemPrompt, mcpServers = {}, variables = {}, addDirs = [], jsonSchema } = options;
  const facts: readonly Fact[] = [
    [text.environment, options.environment],
    [text.model, options.model],
    [text.fallbackModel, options.fallbackModel],
    [text.systemPrompt, systemPrompt && shorten(systemPrompt.text)],
    [text.jsonSchema, jsonSchema && shorten(JSON.stringify(jsonSchema))],
    [text.maxTurns, options.maxTurns],
    [text.maxBudgetUsd, options.maxBudgetUsd],
    [text.askLimitMinutes, options.askLimitMinutes],
    [text.folders, addDirs.join("\n")],
    [text.groups.servers, Object.keys(mcpServers).join(", ")],
    [text.groups.variables, Object.keys(variables).join(", ")],
  ];
  return facts.filter(([, value]) => value !== undefined && value !== "");
}

const SHOWN_LENGTH = 120;

function shorten(value: string): string {
  return value.length <= SHOWN_LENGTH ? value : `${value.slice(0, SHOWN_LENGTH)}…`;
}
