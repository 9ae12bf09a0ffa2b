import { Plus } from "lucide-react";
import { useRef } from "react";
import { strings } from "../strings/strings.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { ACCEPTED_TYPES } from "./attachments.ts";

const text = strings.composer;

/** Opens the browser's file picker. */
export function AttachButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const files = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon={Plus} label={text.attach} onClick={() => files.current?.click()} />
      <input
        ref={files}
        type="file"
        accept={ACCEPTED_TYPES}
        multiple
        hidden
        data-role="composer-files"
        aria-label={text.attach}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}
