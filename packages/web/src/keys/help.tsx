import { strings } from "../strings/strings.ts";
import { Modal } from "../ui/modal.tsx";
import { isMacKeyboard } from "./key-labels.ts";
import { formatKeys, type KeyGroup, keyTable } from "./key-table.ts";

const text = strings.keys;

/** All keyboard shortcuts, by group. */
export default function Help({ onClose }: { onClose: () => void }) {
  const groups = Map.groupBy(keyTable, ({ group }) => group);
  return (
    <Modal title={text.title} onClose={onClose}>
      <div className="columns-2 gap-8 overflow-y-auto p-5 max-sm:columns-1">
        {[...groups].map(([group, bindings]) => (
          <section key={group} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-small font-strong text-dim">
              {text.groups[group satisfies KeyGroup]}
            </h3>
            <dl>
              {bindings.map(({ keys, label }) => (
                <div key={keys + label} className="flex items-center gap-3 py-1 text-control">
                  <dt className="order-2 shrink-0">
                    {formatKeys(keys, isMacKeyboard())
                      .split(" ")
                      .map((chord, index) => (
                        <span key={index} className="kbd ml-1">
                          {chord}
                        </span>
                      ))}
                  </dt>
                  <dd className="grow">{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
