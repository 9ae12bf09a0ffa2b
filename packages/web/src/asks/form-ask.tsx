import type { AskView } from "@signalbox/protocol";
import { useState } from "react";
import { PlainText } from "../items/parts/plain-text.tsx";
import { inert } from "../items/text/visible.ts";
import { AllowButton } from "./allow-button.tsx";
import { inputOf } from "./ask-text.ts";
import { Deny, denyWords } from "./deny.tsx";
import { useAnswer } from "./use-answer.ts";
import { type FormField, contentOf, formFields } from "./form.ts";

/** What a server or a dialog asks for: its own fields where it names them, else JSON. */
export function FormAsk({ ask }: { ask: AskView }) {
  const { busy, answer } = useAnswer(ask);
  const input = inputOf(ask);
  const fields = formFields(input);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const content = contentOf(fields, values);
  const message = typeof input["message"] === "string" ? input["message"] : ask.title;
  const send = () => {
    if (!content) return;
    if (ask.kind === "elicitation") answer({ behavior: "accept", content });
    else answer({ behavior: "result", result: content });
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="ask-text">
        <PlainText text={message} />
      </div>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <div>
        <AllowButton ask={ask} disabled={busy || !content} onAllow={send}>
          Send these details
        </AllowButton>
      </div>
      <Deny disabled={busy} words={denyWords} canStop={false} answer={answer} />
    </div>
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
