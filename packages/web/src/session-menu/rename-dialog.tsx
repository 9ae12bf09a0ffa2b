import { type FormEvent, useRef, useState } from "react";
import { Modal } from "../ui/modal.tsx";
import { useSession } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { changeSession } from "./change-session.ts";
import { strings } from "../strings/strings.ts";

export default function RenameDialog(props: { session: string; onClose: () => void }) {
  const { onClose } = props;
  const app = useAppContext();
  const session = useSession(props.session);
  const [title, setTitle] = useState(session?.title ?? "");
  const field = useRef<HTMLInputElement>(null);
  const newTitle = title.trim();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onClose();
    if (session && newTitle !== session.title)
      void changeSession(app, session, { title: newTitle });
  };
  return (
    <Modal title={strings.session.rename} first={field} onClose={onClose}>
      <form className="flex flex-col gap-3 p-4" onSubmit={onSubmit}>
        <label className="flex flex-col gap-1">
          <span className="text-small text-dim">{strings.session.newName}</span>
          <input
            ref={field}
            className="field"
            maxLength={200}
            data-role="session-name"
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            onFocus={(event) => event.target.select()}
          />
        </label>
        <div className="flex justify-end gap-2">
          <button type="button" className="button" onClick={onClose}>
            {strings.parts.cancel}
          </button>
          <button type="submit" className="button button-solid" disabled={newTitle === ""}>
            {strings.session.renameButton}
          </button>
        </div>
      </form>
    </Modal>
  );
}
