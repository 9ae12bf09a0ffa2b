import type { AskView } from "@signalbox/api";
import { useMemo } from "react";
import { PlainText } from "../text/plain-text.tsx";
import { inert } from "../text/visible.ts";
import { Link } from "../markdown/link-view.tsx";
import { safeLink } from "../markdown/safe-link.ts";
import { draftOfAsk, useKept } from "../store/use-form-draft.ts";
import { AllowButton } from "./allow-button.tsx";
import { inputOf } from "./ask-text.ts";
import { Deny, denyWords } from "./deny.tsx";
import { addressOf, particularsOf } from "./elicitation.ts";
import { Particulars, useFolds } from "./plain-fields.tsx";
import { useAnswer } from "./use-answer.ts";
import { type FormField, contentOf, formFields } from "./form.ts";

/** What a server or a dialog asks for: at an address of its own, by its own fields, or as JSON. */
export function FormAsk({ ask, tight }: { ask: AskView; tight: boolean }) {
  const { busy, answer } = useAnswer(ask);
  const input = inputOf(ask);
  const address = ask.kind === "elicitation" ? addressOf(input) : undefined;
  const particulars = useMemo(() => particularsOf(inputOf(ask)), [ask]);
  const folds = useFolds(particulars, tight);
  const folded = folds.folded.size > 0 && { folded: folds.openAll };
  const message = typeof input["message"] === "string" ? input["message"] : ask.title;
  const accept = (content: Record<string, unknown>) => {
    if (ask.kind === "elicitation") answer({ behavior: "accept", content });
    else answer({ behavior: "result", result: content });
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="ask-text ask-words">
        <PlainText text={message} />
      </div>
      {address !== undefined && <Address address={address} />}
      {particulars.length > 0 && <Particulars fields={particulars} folds={folds} />}
      {address === undefined ? (
        <Form input={input} ask={ask} busy={busy} {...folded} onSend={accept} />
      ) : (
        <div>
          <AllowButton ask={ask} disabled={busy} {...folded} onAllow={() => accept({})}>
            Accept: it may go on
          </AllowButton>
        </div>
      )}
      <Deny ask={ask.id} disabled={busy} words={denyWords} canStop={false} answer={answer} />
    </div>
  );
}

/** Where a server wants to be answered, whole and as text. Nobody goes there but a person who presses for it. */
function Address({ address }: { address: string }) {
  const place = safeLink(address)?.place;
  return (
    <>
      <div className="ask-text">
        <PlainText text={address} />
      </div>
      <p className="text-small text-dim">
        {place === undefined ? (
          "This is no address of the web: it cannot be opened from here."
        ) : (
          <>
            <Link address={address}>Open {inert(place)}…</Link> Nothing is opened by itself;
            accepting tells the server that you agree.
          </>
        )}
      </p>
    </>
  );
}

interface FormProps {
  readonly input: Readonly<Record<string, unknown>>;
  readonly ask: AskView;
  readonly busy: boolean;
  readonly folded?: () => void;
  readonly onSend: (content: Record<string, unknown>) => void;
}

function Form({ input, ask, busy, folded, onSend }: FormProps) {
  const fields = formFields(input);
  const [values, setValues] = useKept<Readonly<Record<string, string>>>(
    draftOfAsk(ask.id, "details"),
    {},
  );
  const content = contentOf(fields, values);
  return (
    <>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <div>
        <AllowButton
          ask={ask}
          disabled={busy || !content}
          {...(folded && { folded })}
          onAllow={() => content && onSend(content)}
        >
          {fields.length === 0 ? "Accept" : "Send these details"}
        </AllowButton>
      </div>
    </>
  );
}

interface InputProps {
  readonly field: FormField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FieldInput({ field, value, onChange }: InputProps) {
  const label = inert(`${field.title}${field.required ? "" : " (optional)"}`);
  return (
    <label className="flex flex-col gap-1">
      <span className="text-small text-dim">
        {label}
        {field.description !== undefined && `: ${inert(field.description)}`}
        {field.rules !== undefined && ` · ${inert(field.rules)}`}
      </span>
      {field.options ? (
        <select className="field" value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">choose</option>
          {field.options.map((option) => (
            <option key={option} value={option}>
              {inert(option)}
            </option>
          ))}
        </select>
      ) : (
        <textarea
          className={`field ${field.type === "json" ? "font-mono text-small" : ""}`}
          rows={1}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </label>
  );
}
