import type { AskView } from "@signalbox/api";
import { lazy, Suspense, useMemo } from "react";
import { PlainText } from "../text/plain-text.tsx";
import { inert } from "../text/visible.ts";
import { ExternalLink } from "../markdown/external-link.tsx";
import { parseSafeLink } from "../markdown/safe-link.ts";
import { askDraftName, useFormDraft } from "../store/use-form-draft.ts";
import { strings } from "../strings/strings.ts";
import { AllowButton } from "./allow-button.tsx";
import { readInput } from "./ask-text.ts";
import { Deny } from "./deny.tsx";
import { getAddress, listDetails } from "./elicitation.ts";
import { DetailFields, useFolds } from "./plain-fields.tsx";
import { useAnswer } from "./use-answer.ts";
import { type FormField, buildContent, listFormFields } from "./form.ts";

const text = strings.asks;
const ChoiceSelect = lazy(async () => ({
  default: (await import("../ui/choice-select.tsx")).ChoiceSelect,
}));

/** A request of an MCP server or of a dialog: answered at a web address, through its fields, or as JSON. */
export function FormAsk({ ask, compact }: { ask: AskView; compact: boolean }) {
  const { busy, answer } = useAnswer(ask);
  const input = readInput(ask);
  const address = ask.kind === "elicitation" ? getAddress(input) : undefined;
  const particulars = useMemo(() => listDetails(readInput(ask)), [ask]);
  const folds = useFolds(particulars, compact);
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
      {address !== undefined && <AddressLink address={address} />}
      {particulars.length > 0 && <DetailFields fields={particulars} folds={folds} />}
      {address === undefined ? (
        <Form input={input} ask={ask} busy={busy} {...folded} onSend={accept} />
      ) : (
        <div>
          <AllowButton ask={ask} disabled={busy} {...folded} onAllow={() => accept({})}>
            {text.accept}
          </AllowButton>
        </div>
      )}
      <Deny ask={ask.id} session={ask.session} disabled={busy} canStop={false} answer={answer} />
    </div>
  );
}

/** The web address of a request, in full and as text. It is opened only when the person clicks the link. */
function AddressLink({ address }: { address: string }) {
  const destination = parseSafeLink(address)?.destination;
  return (
    <>
      <div className="ask-text">
        <PlainText text={address} />
      </div>
      <p className="text-small text-dim">
        {destination === undefined ? (
          text.notAnAddress
        ) : (
          <>
            <ExternalLink address={address}>{text.openAddress(inert(destination))}</ExternalLink>{" "}
            {text.addressNote}
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
  const fields = listFormFields(input);
  const [values, setValues] = useFormDraft<Readonly<Record<string, string>>>(
    askDraftName(ask.id, "details"),
    {},
  );
  const content = buildContent(fields, values);
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
          {...(folded && { onUnfold: folded })}
          onAllow={() => content && onSend(content)}
        >
          {fields.length === 0 ? text.accept : text.sendDetails}
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
  const label = inert(field.required ? field.title : text.optional(field.title));
  return (
    <label className="flex flex-col gap-1">
      <span className="text-small text-dim">
        {label}
        {field.description !== undefined && `: ${inert(field.description)}`}
        {field.rules !== undefined && ` · ${inert(field.rules)}`}
      </span>
      {field.options ? (
        <Suspense fallback={<span className="button">{value}</span>}>
          <ChoiceSelect
            label={label}
            value={value}
            options={[
              { value: "", label: text.choose },
              ...field.options.map((option) => ({ value: option, label: inert(option) })),
            ]}
            onChange={onChange}
          />
        </Suspense>
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
