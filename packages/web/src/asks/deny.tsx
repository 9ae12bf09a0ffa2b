import type { HubDecision } from "@signalbox/api";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useContext, useRef, useState } from "react";
import { isPlainEnter } from "../browser/typing.ts";
import { AnswerButton } from "../guard/answer-button.tsx";
import { emptyDraft } from "../store/drafts.ts";
import { askDraftName, useFormDraft } from "../store/use-form-draft.ts";
import { useDraft } from "../store/use-draft.ts";
import { keyLabel } from "../keys/key-labels.ts";
import { strings } from "../strings/strings.ts";
import { MenuButton } from "../ui/menu-button.tsx";
import { ComposerContext } from "./composer-context.ts";

const text = strings.asks;

interface Labels {
  /** Opens the field for a message. */
  readonly open: string;
  readonly placeholder: string;
  readonly plain: string;
  readonly withMessage: string;
  /** Whether the agent is kept from what it wants to do. */
  readonly isRefusal: boolean;
}

const permissionLabels: Labels = {
  open: text.deny,
  placeholder: text.denyPlaceholder,
  plain: text.denyNow,
  withMessage: text.denyWithMessage,
  isRefusal: true,
};

interface Props {
  /** The id of the ask under which the text is saved while it is typed. */
  readonly ask: string;
  readonly session: string;
  readonly disabled: boolean;
  readonly labels?: Labels;
  readonly canStop?: boolean;
  /** Whether there is little room: the menu is shown once the way to deny is open. */
  readonly compact?: boolean;
  /** Comments with what they quote; they go before the message. */
  readonly quoted?: string;
  readonly answer: (decision: HubDecision) => void;
  /** The other answers, at the start of the row. */
  readonly children?: ReactNode;
}

/**
 * The row of answers, with the ways to deny at its end: what is typed in the composer becomes the message, and
 * otherwise a field opens for one. The menu denies and stops the turn.
 */
export function Deny(props: Props) {
  const { ask, session, disabled, answer, children } = props;
  const { labels = permissionLabels, canStop = true, quoted = "", compact = false } = props;
  const canUseComposer = useContext(ComposerContext);
  const [typed, setTyped] = useFormDraft(askDraftName(ask, "deny"), "");
  const [draft, changeDraft] = useDraft(session);
  const [isOpen, setOpen] = useState(typed !== "");
  const composed = canUseComposer ? draft.text.trim() : "";
  const message = [quoted, isOpen ? typed.trim() : composed].filter(Boolean).join("\n\n");
  const deny = (stop: boolean) => {
    if (!isOpen && composed !== "") changeDraft({ ...emptyDraft, images: draft.images });
    answer({
      behavior: "deny",
      ...(message !== "" && { message }),
      ...(stop && { stop: true }),
    });
  };
  const denyButton = useRef<HTMLButtonElement>(null);
  const look = labels.isRefusal ? "button-ghost button-danger" : "";
  const stopMenu = canStop && <StopMenu ask={ask} disabled={disabled} onStop={() => deny(true)} />;
  return (
    <>
      <div className="ask-buttons">
        {children}
        <span className="grow max-sm:hidden" />
        {!isOpen && (
          <span className="deny-group">
            {composed === "" && quoted === "" ? (
              <button
                type="button"
                className={`button ${look}`}
                data-role="deny-open"
                disabled={disabled}
                onClick={() => setOpen(true)}
              >
                {labels.open}
                {canUseComposer && <span className="kbd max-sm:hidden">{keyLabel("deny")}</span>}
              </button>
            ) : (
              <AnswerButton
                of={ask}
                role="deny"
                look={look}
                disabled={disabled}
                onPress={() => deny(false)}
              >
                {labels.withMessage}
              </AnswerButton>
            )}
            {!compact && stopMenu}
          </span>
        )}
      </div>
      {isOpen && (
        <div className="flex flex-wrap items-end gap-2">
          <textarea
            className="field min-w-48 flex-1"
            rows={1}
            data-role="deny-words"
            aria-label={labels.placeholder}
            placeholder={labels.placeholder}
            autoFocus
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") {
                event.preventDefault();
                event.stopPropagation();
                setOpen(false);
              }
              if (!isPlainEnter(event)) return;
              event.preventDefault();
              // With a text the answer is deliberate. Without one, Enter is guarded like a click (C16).
              if (message !== "") return disabled ? undefined : deny(false);
              if (!event.repeat) denyButton.current?.click();
              return undefined;
            }}
          />
          <AnswerButton
            ref={denyButton}
            of={ask}
            role="deny"
            look={labels.isRefusal ? "button-danger" : "button-solid"}
            disabled={disabled}
            onPress={() => deny(false)}
          >
            {message === "" ? labels.plain : labels.withMessage}
          </AnswerButton>
          {stopMenu}
          <button type="button" className="button button-ghost" onClick={() => setOpen(false)}>
            {text.cancel}
          </button>
        </div>
      )}
    </>
  );
}

interface StopMenuProps {
  readonly ask: string;
  readonly disabled: boolean;
  readonly onStop: () => void;
}

function StopMenu({ ask, disabled, onStop }: StopMenuProps) {
  return (
    <MenuButton
      className="button button-ghost button-icon"
      aria-label={text.moreOptions}
      data-role="deny-menu"
      disabled={disabled}
      menu={{
        label: text.moreOptions,
        align: "end",
        guardedAsk: ask,
        entries: [
          {
            key: "stop",
            content: text.denyAndStop,
            className: "button-danger",
            role: "deny-and-stop",
          },
        ],
        onSelect: onStop,
      }}
    >
      <ChevronDown aria-hidden="true" />
    </MenuButton>
  );
}
