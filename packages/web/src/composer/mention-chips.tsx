import { truncateMiddle } from "../text/lines.ts";
import { inert } from "../text/visible.ts";
import { type Mention, displaySource } from "../store/mentions.ts";
import { strings } from "../strings/strings.ts";

const text = strings.mentions;

/** How many characters of the source fit on a chip, alone and beside the quoted text. */
const MAX_SOURCE_LENGTH = 60;
const MAX_SOURCE_LENGTH_WITH_TEXT = 44;

interface Props {
  readonly mentions: readonly Mention[];
  readonly onChange: (mentions: readonly Mention[]) => void;
}

/** The mentions of the message, each with a button to remove it. */
export function MentionChips({ mentions, onChange }: Props) {
  if (mentions.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1" aria-label={text.label}>
      {mentions.map((mention, at) => (
        <li
          key={at}
          className="chip"
          data-role="mention"
          data-tip={inert(
            `${text.about(displaySource(mention.source))}\n${mention.text.slice(0, 1000)}`.trim(),
          )}
        >
          <span className={mention.text === "" ? "min-w-0 truncate" : "chip-source"}>
            {inert(
              truncateMiddle(
                displaySource(mention.source),
                mention.text === "" ? MAX_SOURCE_LENGTH : MAX_SOURCE_LENGTH_WITH_TEXT,
              ),
            )}
          </span>
          {mention.text !== "" && (
            <span className="min-w-0 truncate font-mono">
              {inert(mention.text.trim().split("\n", 1)[0] ?? "")}
            </span>
          )}
          <button
            type="button"
            className="chip-cross"
            aria-label={text.remove(inert(displaySource(mention.source)))}
            onClick={() => onChange(mentions.filter((_, other) => other !== at))}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}
