import type { Problem } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { loadSession } from "../lib/session.ts";
import { Button, ProblemNotice } from "../ui/parts.tsx";
import { Alone } from "./alone.tsx";

/** The server cannot say who is signed in: it is busy, has no store at present, or does not answer. */
export function UnknownPage({ problem }: { readonly problem: Problem }) {
  const again = useAction(loadSession);
  return (
    <Alone title="Not now">
      <ProblemNotice problem={problem} />
      <Button kind="primary" disabled={again.isRunning} onClick={() => void again.run()}>
        Try again
      </Button>
    </Alone>
  );
}
