import { middleCut } from "../text/lines.ts";
import { inert } from "../text/visible.ts";
import { type Mention, sourceShown } from "../store/mentions.ts";

/** Letters for which a chip has room, alone and beside the words that are mentioned. */
const ALONE = 60;
const BESIDE = 44;

interface Props {
  readonly mentions: readonly Mention[];
  readonly onChange: (mentions: readonly Mention[]) => void;
}

/** What the message is about, each with a cross that takes it away. */
export function MentionChips({ mentions, onChange }: Props) {
  if (mentions.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1" aria-label="What the message is about">
      {mentions.map((mention, at) => (
        <li
          key={at}
          className="chip"
          data-role="mention"
          title={inert(
            `About ${sourceShown(mention.source)}\n${mention.text.slice(0, 1000)}`.trim(),
          )}
        >
          <span className={mention.text === "" ? "min-w-0 truncate" : "chip-source"}>
            {inert(middleCut(sourceShown(mention.source), mention.text === "" ? ALONE : BESIDE))}
          </span>
          {mention.text !== "" && (
            <span className="min-w-0 truncate font-mono">
              {inert(mention.text.trim().split("\n", 1)[0] ?? "")}
            </span>
          )}
          <button
            type="button"
            className="chip-cross"
            aria-label={`Take ${inert(sourceShown(mention.source))} away`}
            onClick={() => onChange(mentions.filter((_, other) => other !== at))}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}
