import { useCallback, useState } from "react";
import { PlainChange } from "../text/plain-change.tsx";
import { PlainText } from "../text/plain-text.tsx";
import { formatCount } from "../text/format.ts";
import { relativePath } from "../text/path.ts";
import { inert, spelled } from "../text/visible.ts";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { strings } from "../strings/strings.ts";
import {
  type AskField,
  COMPACT_FOLD_LIMIT,
  fieldLabel,
  FOLD_LIMIT,
  foldText,
  isShort,
} from "./ask-text.ts";

interface Folds {
  readonly limit: typeof FOLD_LIMIT;
  /** The names of the fields that are still folded. */
  readonly folded: ReadonlySet<string>;
  readonly open: (name: string) => void;
  readonly openAll: () => void;
}

/** Keeps track of which long fields are still folded. */
export function useFolds(fields: readonly AskField[], compact: boolean): Folds {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const limit = compact ? COMPACT_FOLD_LIMIT : FOLD_LIMIT;
  const folded = fields.filter(
    ({ name, text }) => !opened.includes(name) && foldText(text, limit).hiddenCharacters > 0,
  );
  return {
    limit,
    folded: new Set(folded.map(({ name }) => name)),
    open: (name) => setOpened((names) => [...names, name]),
    openAll: () => setOpened(fields.map(({ name }) => name)),
  };
}

/** Keeps track of whether the ends of long texts, which scroll in boxes of their own, have been visible. */
interface ScrollEnds {
  /** The number of unfolded texts whose end has not been visible. */
  readonly unseenCount: number;
  readonly markSeen: (name: string) => void;
}

export function useScrollEnds(fields: readonly AskField[], { limit, folded }: Folds): ScrollEnds {
  const [ended, setEnded] = useState<readonly string[]>([]);
  const isUnseen = ({ name, text }: AskField) =>
    !folded.has(name) && isLong(text, limit) && !ended.includes(name);
  const markSeen = useCallback(
    (name: string) => setEnded((names) => (names.includes(name) ? names : [...names, name])),
    [],
  );
  return { unseenCount: fields.filter(isUnseen).length, markSeen };
}

function isLong(text: string, limit: typeof FOLD_LIMIT): boolean {
  return foldText(text, limit).hiddenCharacters > 0;
}

interface PlainFieldsProps {
  readonly fields: readonly AskField[];
  readonly folds: Folds;
  /** If given, long texts scroll in boxes of their own. */
  readonly ends?: ScrollEnds;
  /** The folder of the session, in which most paths are. */
  readonly folder?: string | undefined;
}

/** All fields of an input: the first and all long ones in boxes, short ones as a list. */
export function PlainFields({ fields, folds, ends, folder }: PlainFieldsProps) {
  const [first, ...others] = fields;
  if (!first) return <p className="text-small text-dim">{strings.asks.noInput}</p>;
  const isBoxed = (field: AskField) => field.look === "change" || !isShort(field);
  return (
    <>
      {[first, ...others.filter(isBoxed)].map((field) =>
        field.look === "path" ? (
          <PlainPath key={field.name} path={field.text} folder={folder} />
        ) : (
          <PlainField
            key={field.name}
            field={field}
            folds={folds}
            isNamed={field !== first && (field.look !== "change" || first.look !== "path")}
            {...(ends && { ends })}
          />
        ),
      )}
      <ShortFields fields={others.filter((field) => !isBoxed(field))} />
    </>
  );
}

/** A whole path. What is inside the session's folder stands out. */
function PlainPath({ path, folder }: { path: string; folder: string | undefined }) {
  const inside = relativePath(path, folder);
  return (
    <p className="ask-path as-it-runs">
      {inside !== path && (
        <span className="text-dim">{spelled(path.slice(0, -inside.length))}</span>
      )}
      {spelled(inside)}
    </p>
  );
}

/** Fields of equal importance: long ones in boxes with their names, short ones as a list. */
export function DetailFields({ fields, folds }: { fields: readonly AskField[]; folds: Folds }) {
  return (
    <>
      {fields
        .filter((field) => !isShort(field))
        .map((field) => (
          <PlainField key={field.name} field={field} folds={folds} isNamed />
        ))}
      <ShortFields fields={fields.filter(isShort)} />
    </>
  );
}

/** Short fields as a list. The agent's own description of a command needs no label. */
function ShortFields({ fields }: { fields: readonly AskField[] }) {
  const description = fields.find(({ name }) => name === "description");
  const others = fields.filter((field) => field !== description);
  return (
    <>
      {description && (
        <div className="ask-description">
          <PlainText text={description.text} />
        </div>
      )}
      {others.length > 0 && (
        <dl className="ask-facts">
          {others.map(({ name, text }) => (
            <div key={name} className="contents">
              <dt>{inert(fieldLabel(name))}</dt>
              <dd>
                <PlainText text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** A text of the agent with every hidden character made visible. */
function PlainField(props: { field: AskField; folds: Folds; isNamed: boolean; ends?: ScrollEnds }) {
  const { field, folds, isNamed, ends } = props;
  const Text = field.look === "change" ? PlainChange : PlainText;
  const label = inert(fieldLabel(field.name));
  const fold = folds.folded.has(field.name) ? foldText(field.text, folds.limit) : undefined;
  const rest =
    fold &&
    (fold.hiddenLines > 0
      ? formatCount(fold.hiddenLines, "line")
      : formatCount(fold.hiddenCharacters, "character"));
  return (
    <div>
      {isNamed && <div className="mb-1 text-small text-dim">{label}</div>}
      <div className="ask-text">
        {ends && !fold && isLong(field.text, folds.limit) ? (
          <ScrollBox label={label} onEnd={() => ends.markSeen(field.name)}>
            <Text text={field.text} />
          </ScrollBox>
        ) : (
          <Text text={fold ? fold.shown : field.text} />
        )}
        {fold && (
          <button type="button" className="button m-1" onClick={() => folds.open(field.name)}>
            {strings.asks.showRest(rest ?? "")}
          </button>
        )}
      </div>
    </div>
  );
}
