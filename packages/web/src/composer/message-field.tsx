import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { strings } from "../strings/strings.ts";
import { isPlainEnter } from "../browser/typing.ts";
import type { AgentCommand } from "@signalbox/api";
import { notBrowsing, stepHistory } from "./history.ts";
import { type FileSearch, useSuggestions } from "./suggestions.ts";
import { applyCompletion, findToken } from "./token.ts";

export interface MessageFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** The `data-role` by which the page and tests find the field. */
  readonly role: "composer" | "first-prompt";
  /** Whether the field is tall while it is empty. */
  readonly isTall?: boolean;
  readonly text: string;
  readonly commands: readonly AgentCommand[];
  readonly findFiles: FileSearch;
  /** Earlier messages, the newest first. */
  readonly getSentTexts: () => readonly string[];
  /** Whether the field takes the focus when it is first shown. */
  readonly takeFocus: () => boolean;
  readonly onText: (text: string) => void;
  /** Called for Enter, with or without Ctrl or ⌘. Returns whether it sent something; otherwise Enter is a new line. */
  readonly onEnter: (isStrong: boolean) => boolean;
  readonly onNextPermission: () => void;
}

/** The text field, with suggestions for the word at the caret. */
export function MessageField(props: MessageFieldProps) {
  const { text, commands, findFiles, getSentTexts, takeFocus, onText, onEnter, onNextPermission } =
    props;
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const [caret, setCaret] = useState(text.length);
  const [chosen, setChosen] = useState(0);
  const [closed, setClosed] = useState(false);
  const historyPosition = useRef(notBrowsing);
  const goTo = useRef<number>(undefined);
  const token = closed ? undefined : findToken(text, caret);
  const offers = useSuggestions(findFiles, token, commands);
  const current = Math.min(chosen, offers.length - 1);

  const focusFirst = useEffectEvent(() => {
    const field = area.current;
    if (!field || !takeFocus()) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  });
  useEffect(() => focusFirst(), []);
  useEffect(() => {
    if (goTo.current === undefined) return;
    area.current?.setSelectionRange(goTo.current, goTo.current);
    goTo.current = undefined;
  }, [text]);

  useLayoutEffect(() => {
    if (area.current) growWithText(area.current);
  }, [text]);

  const write = (next: string, at: number) => {
    goTo.current = at;
    setCaret(at);
    onText(next);
  };
  const take = (name: string) => {
    if (!token) return;
    const done = applyCompletion(text, token, name);
    write(done.text, done.caret);
    area.current?.focus();
  };
  const recall = (direction: "older" | "newer") => {
    const found = stepHistory(historyPosition.current, getSentTexts(), text, direction);
    if (!found) return false;
    historyPosition.current = found.position;
    write(found.text, found.text.length);
    setClosed(true);
    return true;
  };
  const offered = (event: KeyboardEvent): boolean => {
    const offer = offers[current];
    if (!token || !offer) return false;
    if (event.key === "ArrowDown") setChosen((current + 1) % offers.length);
    else if (event.key === "ArrowUp") setChosen((current + offers.length - 1) % offers.length);
    else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey)) take(offer.name);
    else if (event.key === "Escape") setClosed(true);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const strong = event.ctrlKey || event.metaKey;
    const { selectionStart } = event.currentTarget;
    const atStart = !text.slice(0, selectionStart).includes("\n");
    const atEnd = !text.slice(selectionStart).includes("\n");
    const handled =
      offered(event) ||
      (event.key === "ArrowUp" &&
        atStart &&
        (text === "" || historyPosition.current.at >= 0) &&
        recall("older")) ||
      (event.key === "ArrowDown" && atEnd && historyPosition.current.at >= 0 && recall("newer"));
    if (handled) return event.preventDefault();
    if (event.key === "Tab" && event.shiftKey && !strong && !event.altKey) {
      event.preventDefault();
      return onNextPermission();
    }
    if (!isPlainEnter(event)) return undefined;
    if (!onEnter(strong)) return undefined;
    historyPosition.current = notBrowsing;
    return event.preventDefault();
  };

  return (
    <div className="relative">
      {token && offers.length > 0 && (
        <ul
          id={list}
          role="listbox"
          aria-label={strings.composer.suggestions}
          className="suggestions menu"
        >
          {offers.map(({ name, note }, at) => (
            <li
              key={name}
              id={`${list}-${at}`}
              role="option"
              aria-selected={at === current}
              className="menu-item"
              data-highlighted={at === current ? "" : undefined}
              onPointerDown={(event) => {
                event.preventDefault();
                take(name);
              }}
            >
              <span className="shrink-0 font-mono text-small">
                {token.kind === "command" ? "/" : ""}
                {name}
              </span>
              {note !== undefined && <span className="truncate text-small text-dim">{note}</span>}
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={area}
        className={`composer-field ${props.isTall ? "composer-field-tall" : ""}`}
        rows={1}
        dir="auto"
        data-role={props.role}
        aria-label={props.label}
        placeholder={props.placeholder}
        role={token && offers.length > 0 ? "combobox" : undefined}
        aria-expanded={token && offers.length > 0 ? true : undefined}
        aria-controls={token && offers.length > 0 ? list : undefined}
        aria-activedescendant={token && offers.length > 0 ? `${list}-${current}` : undefined}
        value={text}
        onChange={(event) => {
          historyPosition.current = notBrowsing;
          setClosed(false);
          setChosen(0);
          setCaret(event.target.selectionStart);
          onText(event.target.value);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** Grows the text field in browsers without `field-sizing`. */
function growWithText(area: HTMLTextAreaElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + 2}px`; // `scrollHeight` does not include the border.
}
