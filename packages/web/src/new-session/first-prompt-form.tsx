import { ArrowUp } from "lucide-react";
import { useCallback } from "react";
import { isTouchOnly } from "../browser/screen.ts";
import { MessageForm } from "../composer/message-form.tsx";
import { EffortMenu, ModelMenu } from "../composer/model-menus.tsx";
import { PermissionMenu } from "../session-info/permission-picker.tsx";
import { limitPermission, listPermissions, nextPermission } from "../session-info/permissions.ts";
import { useAppContext } from "../store/app-context.tsx";
import { preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { useMayDecide } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { listDraftEfforts, listDraftModels } from "./draft-models.ts";
import { describeStart } from "./describe-start.ts";
import { findSimilarSession, useDraftAbilities } from "./use-draft-abilities.ts";
import { machineParam, useDefaultPermission } from "./use-machine-facts.ts";
import type { NewSessionState } from "./use-new-session.ts";

const text = strings.newSession;

interface Props {
  readonly draft: NewSessionState;
  readonly draftName: string;
}

const noEarlierPrompts = () => [];

/** The composer of a session that does not exist yet: sending the message starts it. */
export function FirstPromptForm({ draft, draftName }: Props) {
  const { client, drafts } = useAppContext();
  const { enterSends } = useSignal(preferences);
  const { folder, runner, agentName, busy, options, worktree } = draft;
  const similar = findSimilarSession(draft.sessions, { folder, runner, agent: agentName });
  const { commands, models } = useDraftAbilities(similar);
  const findFiles = useCallback(
    async (query: string) =>
      folder === "" ? [] : client.findFolderFiles({ path: folder, query, ...machineParam(runner) }),
    [client, folder, runner],
  );
  const limit = useDefaultPermission();
  const mayLoosen = useMayDecide();
  const { policy: usual } = draft.defaults;
  const permission = draft.policy ?? (usual ? limitPermission(usual, mayLoosen) : limit);
  const start = () => void draft.start();
  return (
    <MessageForm
      draftName={draftName}
      formLabel={text.prompt}
      label={text.prompt}
      placeholder={text.placeholder}
      placeholderShort={text.placeholderShort}
      role="first-prompt"
      isTall
      commands={commands}
      findFiles={findFiles}
      getSentTexts={noEarlierPrompts}
      takeFocus={() => !isTouchOnly()}
      onEnter={(isStrong) => {
        // If Enter makes new lines, it starts the session only while the text is empty.
        if (!isStrong && !enterSends && drafts.get(draftName).text !== "") return false;
        start();
        return true;
      }}
      onNextPermission={() =>
        draft.setPolicy(nextPermission(permission, listPermissions(limit, mayLoosen)))
      }
      onSubmit={start}
      pickers={
        <>
          <ModelMenu
            models={listDraftModels(models, draft.agent)}
            value={options.model}
            onChange={(model) => draft.setOptions({ model })}
          />
          <EffortMenu
            efforts={listDraftEfforts(models, options.model || undefined)}
            value={options.effort}
            onChange={(effort) => draft.setOptions({ effort })}
          />
          <PermissionMenu
            value={permission}
            limit={limit}
            mayLoosen={mayLoosen}
            onChange={draft.setPolicy}
          />
        </>
      }
      actions={
        <button
          type="submit"
          className="send-button shrink-0"
          data-role="start"
          aria-label={busy ? describeStart(worktree) : text.start}
          data-tip={text.start}
          disabled={busy}
        >
          <ArrowUp aria-hidden="true" />
        </button>
      }
    />
  );
}
