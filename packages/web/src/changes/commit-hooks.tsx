import { strings } from "../strings/strings.ts";
import { spelled } from "../text/visible.ts";
import { PlainText } from "../text/plain-text.tsx";
import type { OpenRepository } from "./use-repository.ts";

const text = strings.changes.commit;

interface Props {
  readonly hooks: NonNullable<OpenRepository["hooks"]>;
  readonly isSkipped: boolean;
  /** Hooks run on the word of an approver's device alone. */
  readonly mayRun: boolean;
  readonly onSkip: (isSkipped: boolean) => void;
}

/** The programs of the repository that a commit would run. They run as they are shown here, or not at all. */
export function CommitHooks({ hooks, isSkipped, mayRun, onSkip }: Props) {
  const names = hooks.files.map(({ name }) => spelled(name)).join(", ");
  return (
    <details className="commit-hooks" data-role="commit-hooks">
      <summary>{isSkipped ? text.hooksSkipped(names) : text.hooksRun(names)}</summary>
      {hooks.trusted && mayRun ? (
        <label className="flex items-center gap-2 py-1">
          <input
            type="checkbox"
            checked={isSkipped}
            onChange={(event) => onSkip(event.target.checked)}
          />
          {text.skipHooks}
        </label>
      ) : (
        <p className="py-1">{mayRun ? text.hooksNotTrusted : text.hooksNeedApprover}</p>
      )}
      {hooks.files.map(({ name, path, text: content, cut }) => (
        <section key={path}>
          <h4 className="font-mono">{spelled(name)}</h4>
          <div className="preview max-h-40 overflow-auto">
            <PlainText text={content} />
          </div>
          {cut && <p>{text.hookCut}</p>}
        </section>
      ))}
    </details>
  );
}
