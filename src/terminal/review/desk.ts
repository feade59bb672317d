import type { CleanReport, Said, Saying, WaitingLine } from "../../features/review/schema.ts";
import type { EntryLine, RevisionView, SkillDiff } from "../../features/skills/schema.ts";
import type { Finding } from "../../core/finding.ts";
import type { VisibleFile } from "../../diff/visible.ts";
import { AppError } from "../../core/error.ts";
import type { Effect } from "./state.ts";
import type { Decision } from "../../registry/schema.ts";

/** One entry as it is put before a person (RV-4). */
export interface Opened extends EntryLine {
  readonly revision: RevisionView;
  readonly frontmatter: readonly { readonly field: string; readonly value: string }[];
  readonly diff: SkillDiff;
  readonly provenance: Origin;
  readonly decisions: readonly Decision[];
  readonly noticed: readonly Finding[];
}

interface Origin {
  /** One line. */
  readonly from: string;
  /** The links of the way from there to the bytes (IN-8). */
  readonly links: readonly { readonly what: string; readonly proven: boolean }[];
}

export interface Waiting {
  readonly items: readonly (EntryLine & Pick<WaitingLine, "clean">)[];
  /** Those that wait too and are not among the items. */
  readonly more: number;
}

/** What a reviewer at the terminal does; the CLI gives it over the app. */
export interface Desk {
  queue(): Promise<Waiting>;
  open(entry: string): Promise<Opened>;
  raw(entry: string, digest: string): Promise<readonly VisibleFile[]>;
  /** Rejects with `review.stale` when the digest that was shown is not the current one any more (RV-5). */
  say(entry: string, saying: Saying): Promise<Said>;
  approveClean(): Promise<CleanReport>;
  /** Why a finding of this code matters. */
  why(code: string): string | undefined;
}

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
