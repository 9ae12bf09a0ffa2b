import { Modal } from "../ui/modal.tsx";
import { shortcutHelp } from "./shortcuts.ts";

export default function Help({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 overflow-y-auto p-4">
        {shortcutHelp.map(({ keys, label }) => (
          <div key={keys} className="contents">
            <dt className="text-right">
              {keys.split(" ").map((key, at) => (
                <span key={at} className="kbd ml-1">
                  {key}
                </span>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
