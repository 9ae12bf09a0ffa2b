import type { WorkingChanges } from "@signalbox/api";
import { lazy, Suspense, useState } from "react";
import { strings } from "../strings/strings.ts";
import { ChoiceSelect } from "../ui/choice-select.tsx";
import { listComparisons, OTHER_REVISION } from "./comparison.ts";

const RevisionDialog = lazy(() => import("./revision-dialog.tsx"));

interface Props {
  readonly against: string;
  readonly changes: WorkingChanges | undefined;
  readonly onChange: (against: string) => void;
}

/** Chooses what the files are compared with. */
export function ComparisonSelect({ against, changes, onChange }: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <ChoiceSelect
        label={strings.changes.compare.label}
        value={against}
        options={listComparisons(against, changes)}
        role="comparison"
        onChange={(value) => {
          if (value === OTHER_REVISION) setAsking(true);
          else onChange(value);
        }}
      />
      {isAsking && (
        <Suspense fallback={null}>
          <RevisionDialog
            branches={changes?.repository ? changes.branches : []}
            onClose={() => setAsking(false)}
            onChoose={(revision) => onChange(`commit:${revision}`)}
          />
        </Suspense>
      )}
    </>
  );
}
