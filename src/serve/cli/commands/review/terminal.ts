import { approveClean } from "../../../../app/approve-clean.ts";
import type { App } from "../../../../app/app.ts";
import { reviewQueue } from "../../../../app/queue.ts";
import { readRaw, type ReviewView, say, showReview } from "../../../../app/reviews.ts";
import type { Desk, Opened } from "../../../term/review/desk.ts";
import { reviewAtTerminal } from "../../../term/review/review.ts";
import { countOption, textOption } from "../../call.ts";
import { type Call, type ExitCode, exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { isAtTerminal as hasTerminal, ownTerminal } from "../../own-terminal.ts";
import { plural, short } from "../../render.ts";

/** Somebody sees the screen and has the keys, and did not ask for the list. */
export function isAtTerminal({ options }: Call): boolean {
  const asksForList = options["list"] === true || options["json"] === true || options["after"] !== undefined;
  return hasTerminal() && !asksForList;
}

export async function atTerminal(app: App, call: Call, output: Output): Promise<ExitCode> {
  const { decided, left } = await reviewAtTerminal(await deskOf(app, call), ownTerminal(output));
  const waits = left === 0 ? "nothing waits any more" : `${left} still ${left === 1 ? "waits" : "wait"}`;
  output.note(`${plural(decided, "decision")} signed; ${waits}.`);
  return exit.fine;
}

/** What a reviewer at the terminal does, over the app. */
export async function deskOf(app: App, call: Call): Promise<Desk> {
  const { whyOf } = await import("../../../../review/why.ts");
  const source = textOption(call, "source");
  return {
    queue: async () => {
      const { items, more } = await reviewQueue(app, { source, limit: countOption(call, "limit") });
      return { items, more };
    },
    open: async (entry) => openedOf(await showReview(app, entry)),
    raw: (entry, digest) => readRaw(app, entry, digest),
    say: (entry, saying) => say(app, entry, saying),
    approveClean: () => approveClean(app, { source }),
    why: whyOf,
  };
}

function openedOf(view: ReviewView): Opened {
  const { kind, url, path, commit } = view.provenance;
  const place = kind === null ? "its source is gone" : `${kind} ${url ?? ""}`;
  const from = `${view.source}: ${place}, ${path || "its root"}${commit === null ? "" : ` at ${short(commit)}`}`;
  return { ...view, provenance: { from, links: view.provenance.links } };
}
