import type { Session } from "@signalbox/client";
import type { LineView } from "@signalbox/protocol";
import { useCallback, useEffect, useState } from "react";
import { PlainText } from "../../items/parts/plain-text.tsx";
import { bytes, moment } from "../../items/text/figures.ts";
import { prettyLine } from "../../items/text/pretty.ts";
import { useWorld } from "../../store/world.tsx";
import { lineWords } from "./line-words.ts";

const PAGE = 100;
const signs = { agent: "←", host: "→", keeper: "·" } as const;
const who = { agent: "from the agent", host: "to the agent", keeper: "a note of ours" } as const;

/** The wire as it was: every line of the log, the newest first. */
export default function WirePanel({ session }: { session: Session }) {
  const { client, toasts } = useWorld();
  const { id } = session;
  const [lines, setLines] = useState<readonly LineView[]>([]);
  const [more, setMore] = useState(false);
  const [text, setText] = useState("");
  const load = useCallback(
    async (before?: number) => {
      try {
        const page = await client.lines(id, {
          limit: PAGE,
          ...(before !== undefined && { before }),
        });
        setLines((held) => (before === undefined ? page.lines : [...page.lines, ...held]));
        setMore(page.more);
      } catch (failure) {
        toasts.fail("The lines could not be fetched", failure);
      }
    },
    [client, id, toasts],
  );
  useEffect(() => void load(), [load]);
  const first = lines[0];
  const shown = lines.filter((line) => text === "" || line.text?.includes(text));
  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2">
        <input
          type="search"
          className="field"
          placeholder="Only lines with…"
          aria-label="Only lines with"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="button" className="button shrink-0" onClick={() => void load()}>
          Newest
        </button>
      </div>
      <ul className="font-mono text-small">
        {shown.toReversed().map((line) => (
          <li key={line.pos} className="border-b border-line">
            <details>
              <summary
                className="flex cursor-pointer gap-2 py-0.5 pointer-coarse:py-3.5"
                title={moment(line.at)}
              >
                <span role="img" aria-label={who[line.from]}>
                  {signs[line.from]}
                </span>
                <span className="text-dim">{line.pos}</span>
                <span className="min-w-0 grow truncate">{lineWords(line.text)}</span>
                <span className="shrink-0 text-dim">{bytes(line.text?.length ?? 0)}</span>
              </summary>
              <PlainText
                text={
                  line.text === undefined
                    ? "Kept as a blob: it is very large."
                    : prettyLine(line.text)
                }
              />
            </details>
          </li>
        ))}
      </ul>
      {more && first && (
        <button type="button" className="button" onClick={() => void load(first.pos)}>
          Older lines
        </button>
      )}
    </div>
  );
}
