import { Brain } from "lucide-react";
import { strings } from "../../strings/strings.ts";
import { getLength, type DisplayItemOfKind } from "../../text/body.ts";
import { formatWorkDuration } from "../../text/format.ts";
import { Card } from "../parts/card.tsx";
import { Prose } from "../parts/prose.tsx";

const text = strings.conversation;

/** The agent's thinking: one line that unfolds. */
export function ThinkingView({ item }: { item: DisplayItemOfKind<"thinking"> }) {
  const isHidden = getLength(item.text) === 0 && !item.live;
  return (
    <Card
      id={item.id}
      mark={<Brain aria-hidden="true" />}
      name=""
      title={item.live ? text.thinking : isHidden ? text.thoughtHidden : describeThought(item)}
      mono={false}
      isRow
    >
      {!isHidden && (
        <div className="card-section text-dim">
          <Prose body={item.text} live={item.live} />
        </div>
      )}
    </Card>
  );
}

/** "Thought for 6 s", or "Thought" where it took less than a second or the times are not known. */
function describeThought({ at, endedAt }: DisplayItemOfKind<"thinking">): string {
  const ms = at === undefined || endedAt === undefined ? 0 : endedAt - at;
  return ms < 1000 ? text.thought : text.thoughtFor(formatWorkDuration(ms));
}
