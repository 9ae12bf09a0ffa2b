import { Modal } from "../ui/modal.tsx";
import { shortcuts } from "./shortcuts.ts";

export default function Help({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 overflow-y-auto p-4">
        {shortcuts.map(({ keys, words }) => (
          <div key={keys} className="contents">
            <dt className="text-right">
              {keys.split(" ").map((key, at) => (
                <span key={at} className="kbd ml-1">
                  {key}
                </span>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
