import type { PolicyName } from "@signalbox/api";
import { useAppContext } from "../store/app-context.tsx";
import { useMayDecide } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { baseName } from "../text/path.ts";
import { spelled } from "../text/visible.ts";
import type { SubmitOptions } from "./options-dialog.tsx";
import { readOptions } from "./options-draft.ts";
import type { OptionChoices } from "./options-form.tsx";
import { toProjectDefaults } from "./project-defaults.ts";

const text = strings.sessionOptions;

/** The folder of a machine whose new sessions can have the options by default. */
export interface Project {
  readonly folder: string;
  readonly runner: string | undefined;
  /** The permission that goes with the options. */
  readonly policy: PolicyName | undefined;
}

/** Makes the options the defaults of a project. Only approvers may. */
export function DefaultsButton(props: {
  readonly project: Project;
  readonly agents: OptionChoices["agents"];
  readonly isBusy: boolean;
  readonly submit: SubmitOptions;
  readonly onSaved: () => void;
}) {
  const { project, agents, isBusy, submit, onSaved } = props;
  const { client, toasts } = useAppContext();
  const mayDecide = useMayDecide();
  const { folder, runner, policy } = project;
  if (!mayDecide || folder === "") return null;
  const name = spelled(baseName(folder));
  return (
    <button
      type="button"
      className="button"
      data-role="use-as-defaults"
      disabled={isBusy}
      onClick={() =>
        submit(async (draft) => {
          const { defaults, hasLeftOutSecrets } = toProjectDefaults(
            readOptions(draft),
            policy,
            agents,
          );
          const isEmpty = Object.keys(defaults).length === 0;
          await client.setProjectOptions({
            folder,
            ...(runner !== undefined && { runner }),
            options: isEmpty ? null : defaults,
          });
          const saved = isEmpty ? text.defaultsRemoved(name) : text.defaultsSaved(name);
          toasts.show(hasLeftOutSecrets ? `${saved} ${text.secretsLeftOut}` : saved);
          onSaved();
        })
      }
    >
      {text.useAsDefaults(name)}
    </button>
  );
}
