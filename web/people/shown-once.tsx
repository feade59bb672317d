import type { ComponentChildren } from "preact";
import { Copy } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Button } from "../ui/parts.tsx";

interface ShownOnceProps {
  readonly title: string;
  readonly secret: string;
  /** What it is for. */
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** What was made a moment ago, and can be read here and never again. */
export function ShownOnce({ title, secret, children, onClose }: ShownOnceProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Copy text={secret} label="Copy" isPlain />
          <Button kind="primary" onClick={onClose}>
            I have it
          </Button>
        </>
      }
    >
      <p>{children}</p>
      <code class="wrap secret">{secret}</code>
    </Dialog>
  );
}
