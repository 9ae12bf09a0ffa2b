import { useCallback, useState } from "react";
import { PlainText } from "../text/plain-text.tsx";
import { counted } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { LongBox } from "../ui/long-box.tsx";
import { type AskField, FOLD, foldOf, isShort, TIGHT_FOLD } from "./ask-text.ts";

export interface Folds {
  readonly limit: typeof FOLD;
  /** The names of the fields that are not shown whole. */
  readonly folded: ReadonlySet<string>;
  readonly open: (name: string) => void;
  readonly openAll: () => void;
}

/** Which of the fields are still folded. */
export function useFolds(fields: readonly AskField[], tight: boolean): Folds {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const limit = tight ? TIGHT_FOLD : FOLD;
  const folded = fields.filter(
    ({ name, text }) => !opened.includes(name) && foldOf(text, limit).hiddenCharacters > 0,
  );
  return {
    limit,
    folded: new Set(folded.map(({ name }) => name)),
    open: (name) => setOpened((names) => [...names, name]),
    openAll: () => setOpened(fields.map(({ name }) => name)),
  };
}

/** Whether the ends of long texts, each in a box of its own, were in sight. */
export interface Ends {
  /** How many were not, of those that are unfolded. */
  readonly unseen: number;
  readonly seen: (name: string) => void;
}

export function useEnds(fields: readonly AskField[], { limit, folded }: Folds): Ends {
  const [ended, setEnded] = useState<readonly string[]>([]);
  const isUnseen = ({ name, text }: AskField) =>
    !folded.has(name) && isLong(text, limit) && !ended.includes(name);
  const seen = useCallback(
    (name: string) => setEnded((names) => (names.includes(name) ? names : [...names, name])),
    [],
  );
  return { unseen: fields.filter(isUnseen).length, seen };
}

function isLong(text: string, limit: typeof FOLD): boolean {
  return foldOf(text, limit).hiddenCharacters > 0;
}

interface PlainFieldsProps {
  readonly fields: readonly AskField[];
  readonly folds: Folds;
  /** With them, long texts scroll in boxes of their own. */
  readonly ends?: Ends;
}

/** Everything of an input: what says most in a box, short particulars in a line each. */
export function PlainFields({ fields, folds, ends }: PlainFieldsProps) {
  const [first, ...others] = fields;
  if (!first) return <p className="text-small text-dim">It takes no input.</p>;
  const boxed = [first, ...others.filter((field) => !isShort(field))];
  return (
    <>
      {boxed.map((field) => (
        <PlainField
          key={field.name}
          field={field}
          folds={folds}
          named={field !== first}
          {...(ends && { ends })}
        />
      ))}
      <ShortFields fields={others.filter(isShort)} />
    </>
  );
}

/** Particulars of which none says most: long ones in boxes with their names, short ones in a line each. */
export function Particulars({ fields, folds }: { fields: readonly AskField[]; folds: Folds }) {
  return (
    <>
      {fields
        .filter((field) => !isShort(field))
        .map((field) => (
          <PlainField key={field.name} field={field} folds={folds} named />
        ))}
      <ShortFields fields={fields.filter(isShort)} />
    </>
  );
}

function ShortFields({ fields }: { fields: readonly AskField[] }) {
  return (
    <dl className="ask-facts">
      {fields.map(({ name, text }) => (
        <div key={name} className="contents">
          <dt>{inert(name)}</dt>
          <dd>
            <PlainText text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A text of the agent's as it is, with every hidden character made visible. */
function PlainField(props: { field: AskField; folds: Folds; named: boolean; ends?: Ends }) {
  const { field, folds, named, ends } = props;
  const fold = folds.folded.has(field.name) ? foldOf(field.text, folds.limit) : undefined;
  const rest =
    fold &&
    (fold.hiddenLines > 0
      ? counted(fold.hiddenLines, "line")
      : counted(fold.hiddenCharacters, "character"));
  return (
    <div>
      {named && <div className="text-small text-dim">{inert(field.name)}</div>}
      <div className="ask-text">
        {ends && !fold && isLong(field.text, folds.limit) ? (
          <LongBox label={inert(field.name)} onEnd={() => ends.seen(field.name)}>
            <PlainText text={field.text} />
          </LongBox>
        ) : (
          <PlainText text={fold ? fold.shown : field.text} />
        )}
        {fold && (
          <button type="button" className="button m-1" onClick={() => folds.open(field.name)}>
            Show the rest ({rest})
          </button>
        )}
      </div>
    </div>
  );
}
