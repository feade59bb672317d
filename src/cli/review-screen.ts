import { approveClean } from "../features/review/approve-clean.ts";
import type { App } from "../app/app.ts";
import { reviewQueue } from "../features/review/queue.ts";
import { readRaw, say, showReview } from "../features/review/flow.ts";
import type { ReviewView } from "../features/review/schema.ts";
import type { Desk, Opened } from "../terminal/review/desk.ts";
import type { OpenScreen } from "../features/review/cli.ts";
import { countOption, textOption } from "../features/command/call.ts";
import { type Call, exit } from "../features/command/command.ts";
import { isAtTerminal, ownTerminal } from "./own-terminal.ts";
import { plural, short } from "../features/command/render.ts";

/** Where somebody sees the screen and has the keys, and did not ask for the list. */
export const openReviewScreen: OpenScreen = async (call, output) => {
  const { options } = call;
  if (!isAtTerminal() || options["list"] === true || options["json"] === true || options["after"] !== undefined)
    return undefined;
  const { reviewAtTerminal } = await import("../terminal/review/review.ts");
  return async (app) => {
    const { decided, left } = await reviewAtTerminal(await deskOf(app, call), ownTerminal(output));
    const waits = left === 0 ? "nothing waits any more" : `${left} still ${left === 1 ? "waits" : "wait"}`;
    output.note(`${plural(decided, "decision")} signed; ${waits}.`);
    return exit.fine;
  };
};

/** What a reviewer at the terminal does, over the app. */
export async function deskOf(app: App, call: Call): Promise<Desk> {
  const { whyOf } = await import("../scan/rules.ts");
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
