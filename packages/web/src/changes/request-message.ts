import { type HubClient, isBusy, type Session, waitForTurnEnd } from "@signalbox/client";
import { strings } from "../strings/strings.ts";
import { isCut, joinEnds } from "../text/body.ts";

const text = strings.changes.commit;

/** How many of the newest items are searched for the answer. */
const SEARCHED_ITEMS = 60;

/** Asks the agent for a commit message, as a message in its conversation, and waits for the answer. */
export async function requestCommitMessage(
  client: HubClient,
  session: Session,
  signal: AbortSignal,
): Promise<string> {
  const { id, summary } = session;
  const turns = summary.turns + (isBusy(session) ? 1 : 0);
  await client.outbox.add(id, { text: text.messageRequest });
  const { stand } = await waitForTurnEnd(client, id, turns, { signal });
  if (stand !== "over") throw new Error(text.noAnswer);
  const { items } = await client.items(id, { limit: SEARCHED_ITEMS });
  const last = items.findLastIndex(({ kind }) => kind === "prompt");
  const texts = items.slice(last + 1).flatMap((item) => {
    if (item.kind !== "text" || item.parent !== undefined) return [];
    return [isCut(item.text) ? joinEnds(item.text) : item.text];
  });
  const answer = stripFence(texts.at(-1) ?? "");
  if (answer === "") throw new Error(text.noAnswer);
  return answer;
}

/** The text inside of a code block, if the answer is one. */
function stripFence(answer: string): string {
  const fenced = /^(`{3,})[^\n]*\n([^]*?)\n\1\s*$/m.exec(answer);
  return (fenced?.[2] ?? answer).trim();
}
