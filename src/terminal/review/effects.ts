import type { CleanReport } from "../../features/review/schema.ts";
import type { Said } from "../../features/review/schema.ts";
import { AppError } from "../../core/error.ts";
import type { VisibleFile } from "../../diff/visible.ts";
import type { Desk, Opened, Waiting } from "./desk.ts";
import type { Effect } from "./state.ts";

/** What the desk is asked for and answers. */
export type Asked = Exclude<Effect, { readonly kind: "redraw" | "leave" }>;

type AskedFor<Kind extends Asked["kind"]> = Extract<Asked, { readonly kind: Kind }>;

export type Answer =
  | { readonly type: "queued"; readonly asked: AskedFor<"queue">; readonly queue: Waiting }
  | {
      readonly type: "opened";
      readonly asked: AskedFor<"open">;
      readonly view: Opened;
      readonly whys: ReadonlyMap<string, string>;
    }
  | { readonly type: "read"; readonly asked: AskedFor<"raw">; readonly files: readonly VisibleFile[] }
  | { readonly type: "said"; readonly asked: AskedFor<"say">; readonly said: Said }
  | { readonly type: "cleaned"; readonly asked: AskedFor<"clean">; readonly report: CleanReport }
  | { readonly type: "failed"; readonly asked: Asked; readonly isStale: boolean; readonly message: string };

/** Never rejects: a fault is an answer too. */
export async function perform(desk: Desk, asked: Asked): Promise<Answer> {
  try {
    return await answerTo(desk, asked);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { type: "failed", asked, isStale: error instanceof AppError && error.code === "review.stale", message };
  }
}

async function answerTo(desk: Desk, asked: Asked): Promise<Answer> {
  switch (asked.kind) {
    case "queue":
      return { type: "queued", asked, queue: await desk.queue() };
    case "open": {
      const view = await desk.open(asked.entry);
      return { type: "opened", asked, view, whys: whysOf(desk, view) };
    }
    case "raw":
      return { type: "read", asked, files: await desk.raw(asked.entry, asked.digest) };
    case "say":
      return { type: "said", asked, said: await desk.say(asked.plan.entry, asked.plan.saying) };
    case "clean":
      return { type: "cleaned", asked, report: await desk.approveClean() };
  }
}

function whysOf(desk: Desk, { revision: { findings, tampering } }: Opened): ReadonlyMap<string, string> {
  const codes = new Set([...findings, ...tampering].map(({ code }) => code));
  return new Map(
    [...codes].flatMap((code) => {
      const why = desk.why(code);
      return why === undefined ? [] : [[code, why] as const];
    }),
  );
}
