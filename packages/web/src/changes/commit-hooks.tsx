import { strings } from "../strings/strings.ts";
import { spelled } from "../text/visible.ts";
import { PlainText } from "../text/plain-text.tsx";
import type { OpenRepository } from "./use-repository.ts";

const text = strings.changes.commit;

interface Props {
  readonly hooks: NonNullable<OpenRepository["hooks"]>;
  readonly isSkipped: boolean;
  readonly onSkip: (isSkipped: boolean) => void;
}

/** The programs of the repository that a commit would run. They run as they are shown here, or not at all. */
export function CommitHooks({ hooks, isSkipped, onSkip }: Props) {
  const names = hooks.files.map(({ name }) => spelled(name)).join(", ");
  return (
    <details className="commit-hooks" data-role="commit-hooks">
      <summary>
        {hooks.trusted && !isSkipped ? text.hooksRun(names) : text.hooksSkipped(names)}
      </summary>
      {hooks.trusted ? (
        <label className="flex items-center gap-2 py-1">
          <input
            type="checkbox"
            checked={isSkipped}
            onChange={(event) => onSkip(event.target.checked)}
          />
          {text.skipHooks}
        </label>
      ) : (
        <p className="py-1">{text.hooksNotTrusted}</p>
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
