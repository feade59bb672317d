import type { ReviewView, Said } from "#contract";
import { to } from "../lib/router.ts";
import { ShortDigest } from "../skills/digest.tsx";
import { tellDone } from "../ui/toast.tsx";
import { Visible } from "../ui/visible.tsx";
import type { Word } from "./deciding.ts";

const past: Readonly<Record<Word["act"], string>> = {
  approve: "Approved",
  reject: "Rejected",
  disable: "Disabled",
  override: "Overridden in",
};

/** Says what was signed, and where it can be undone. */
export function tellDecided(view: ReviewView, { standing }: Said, { act }: Word): void {
  tellDone(
    <>
      {past[act]}{" "}
      <a href={to("skills", view.entry)}>
        <Visible text={view.name} />
      </a>{" "}
      <ShortDigest of={view.revision.digest} />: it is {standing.state} now.
      {act === "approve" && <AfterApproval entry={view.entry} isInUse={standing.inUse === view.revision.digest} />}
    </>,
  );
}

/** RV-5: what one person has approved may need another one's word, and is not in use before. */
function AfterApproval({ entry, isInUse }: { readonly entry: string; readonly isInUse: boolean }) {
  return isInUse ? (
    <>
      {" "}
      To undo it, <a href={to("skills", entry)}>disable it</a>.
    </>
  ) : (
    <>
      {" "}
      It comes into use when another person has approved it, too. To take it back,{" "}
      <a href={to("review", entry)}>reject it</a>.
    </>
  );
}
