import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { strings } from "../../strings/strings.ts";

interface Props {
  readonly source: string;
  readonly name: string;
  readonly facts: string;
  readonly onClose: () => void;
}

/** An image over the whole page. */
export default function FullSizeImage(props: Props) {
  const { source, name, facts, onClose } = props;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop forceRender className="backdrop z-20" />
        <Dialog.Popup className="image-viewer" onClick={onClose}>
          <Dialog.Title className="sr-only">{name}</Dialog.Title>
          <img src={source} alt={name} data-tip={facts} className="checkered" />
          <Dialog.Close className="button" aria-label={strings.content.close}>
            <X aria-hidden="true" />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
