import type { KeyBinding } from "../lib/keys.ts";
import { Button } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";

/** One thing that can be done with the entry on the screen, by its key and by its button. */
export interface Doing extends KeyBinding {
  readonly title: string;
  /** Why it cannot be done now; undefined: it can. */
  readonly why?: string | undefined;
  readonly kind?: "primary" | "danger" | "quiet";
  /** Only by its key, without a button. */
  readonly isKeyOnly?: boolean;
}

interface FootProps {
  readonly doings: readonly Doing[];
  readonly message: string | undefined;
  /** Whose word it has, where it takes more than one. */
  readonly approvals: string | undefined;
}

/** The bar at the bottom: what can be done, and why what cannot be done now cannot. */
export function Foot({ doings, message, approvals }: FootProps) {
  const keys = doings.filter(({ isKeyOnly }) => isKeyOnly === true);
  const buttons = doings.filter(({ isKeyOnly }) => isKeyOnly !== true);
  return (
    <footer class="review-foot" aria-label="Decide">
      <ul class="foot-keys" aria-label="Keys">
        {keys.map(({ key, title }) => (
          <li>
            <kbd>{key}</kbd> {title}
          </li>
        ))}
      </ul>
      {(message ?? approvals) !== undefined && (
        <span class="foot-why">
          {approvals !== undefined && (
            <strong>
              <Visible text={approvals} />
            </strong>
          )}
          {message !== undefined && (
            <span>
              <Visible text={message} />
            </span>
          )}
        </span>
      )}
      <div class="foot-buttons">
        {buttons.map(({ key, title, why, kind, act }) => (
          <Button
            key={key}
            {...(kind === undefined ? {} : { kind })}
            shortcut={key}
            disabled={why !== undefined}
            title={why}
            onClick={act}
          >
            {title}
          </Button>
        ))}
      </div>
    </footer>
  );
}
