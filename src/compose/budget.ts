import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { limits } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import type { Dropped, DropReason, Via } from "./composition.ts";
import { entryFinding } from "./findings.ts";
import type { Blocks, Section } from "./render.ts";

export interface TokenBudget {
  readonly most: number;
  readonly count: (text: string) => number;
}

export interface Budget {
  readonly bytes: number;
  readonly tokens?: TokenBudget | undefined;
}

/** What goes in, rendered and counted, and what had to stay out. */
export interface Fitted {
  readonly sections: readonly Section[];
  readonly blocks: Blocks;
  readonly tokens: number;
  readonly dropped: readonly Dropped[];
  readonly findings: readonly Finding[];
}

/** CO-6: missing, not a number or not above 0 is the default, never uncapped. */
export function budgetBytes(wanted: unknown): number {
  return typeof wanted === "number" && Number.isFinite(wanted) && wanted > 0 ? wanted : limits.budget;
}

type Render = (sections: readonly Section[]) => Blocks;

/**
 * CO-6: first goes what alone is too large, then whole skills from the tail until the rest fits. What is handed on was
 * measured as it is, framing included. A skill that was asked for by name stays, or the request fails. `left` is what
 * other blocks of the request have left of the budget.
 */
export function fit(sections: readonly Section[], budget: Budget, render: Render, left: Budget = budget): Fitted {
  const whole = attempt(sections, left, render);
  if (whole !== undefined) return { ...whole, dropped: [], findings: [] };

  const tooLarge = sections.filter((section) => attempt([section], budget, render) === undefined);
  refuseInvoked(tooLarge, budget);
  const { overBudget, ...fitted } = dropFromTail(without(sections, tooLarge), left, render);
  const dropped = [...tooLarge.map(dropAs("too-large")), ...overBudget.map(dropAs("over-budget"))];
  const findings = [...tooLarge.map((each) => tooLargeAlone(each, budget)), ...overBudget.map(noRoom)];
  return { ...fitted, dropped, findings };
}

type Attempt = Omit<Fitted, "dropped" | "findings">;

/** Rendered and counted, or undefined when it is more than may be. What a counter says that is no number is too much. */
function attempt(sections: readonly Section[], { bytes, tokens }: Budget, render: Render): Attempt | undefined {
  // Contents that are too much need not be framed to know.
  if (sections.reduce((sum, section) => sum + section.bytes, 0) > bytes) return undefined;
  const blocks = render(sections);
  if (blocks.bytes > bytes) return undefined;
  if (tokens === undefined || sections.length === 0) return { sections, blocks, tokens: 0 };
  const counted = tokenCount(blocks.user, tokens) + tokenCount(blocks.system, tokens);
  return counted <= tokens.most ? { sections, blocks, tokens: counted } : undefined;
}

function tokenCount(text: string, { count }: TokenBudget): number {
  return text === "" ? 0 : count(text);
}

/** As few as must go. */
function dropFromTail(
  sections: readonly Section[],
  budget: Budget,
  render: Render,
): Attempt & { overBudget: readonly Section[] } {
  // Who goes first: routed, task, configuration; within each the last first. Invoked ones are not in it.
  const order = firstToGo.flatMap((via) => sections.filter(({ skill }) => skill.via === via).toReversed());
  const found = fewest(order.length, (count) => attempt(without(sections, order.slice(0, count)), budget, render));
  if (found === undefined) throw exceeded(sections.filter(isInvoked), budget);
  return { ...found.result, overBudget: order.slice(0, found.count) };
}

function without(sections: readonly Section[], gone: readonly Section[]): readonly Section[] {
  const left = new Set(gone);
  return sections.filter((section) => !left.has(section));
}

const firstToGo: readonly Via[] = ["routed", "task", "configuration"];

function isInvoked({ skill }: Section): boolean {
  return skill.via === "invoked";
}

function refuseInvoked(tooLarge: readonly Section[], budget: Budget): void {
  const invoked = tooLarge.filter(isInvoked);
  if (invoked.length > 0) throw exceeded(invoked, budget);
}

function exceeded(invoked: readonly Section[], budget: Budget): AppError {
  const names = invoked.map(({ skill }) => `"${safeLine(skill.entry)}"`).join(", ");
  const bytes = invoked.reduce((sum, section) => sum + section.bytes, 0);
  const message = `${names} (${bytes} bytes) cannot fit into the budget of ${shown(budget)}; raise the budget of the configuration, or ask for fewer skills`;
  return new AppError("budget.exceeded", safeLine(message, 640));
}

function dropAs(why: DropReason): (section: Section) => Dropped {
  return ({ skill: { entry, digest, via } }) => ({ entry, digest, via, why });
}

function tooLargeAlone({ skill, bytes }: Section, budget: Budget): Finding {
  const message = `alone it is too large (${bytes} bytes) for the budget of ${shown(budget)}; it was left out`;
  return entryFinding("compose.too-large", skill.entry, message);
}

function noRoom({ skill, bytes }: Section): Finding {
  const message = `there was no room for it (${bytes} bytes) beside the others; it was left out`;
  return entryFinding("compose.over-budget", skill.entry, message);
}

function shown({ bytes, tokens }: Budget): string {
  return tokens === undefined ? `${bytes} bytes` : `${bytes} bytes and ${tokens.most} tokens`;
}

/**
 * The smallest number from 0 to `most` for which `resultOf` has a result: 0 is tried first, the rest is found by
 * halving, right wherever a larger number never does worse. What is returned was tried, whatever `resultOf` does.
 */
export function fewest<Result>(
  most: number,
  resultOf: (count: number) => Result | undefined,
): { readonly count: number; readonly result: Result } | undefined {
  const first = resultOf(0);
  if (first !== undefined) return { count: 0, result: first };
  const last = most > 0 ? resultOf(most) : undefined;
  if (last === undefined) return undefined;
  let best = { count: most, result: last };
  for (let tooFew = 0; best.count - tooFew > 1; ) {
    const count = (tooFew + best.count) >> 1;
    const result = resultOf(count);
    if (result === undefined) tooFew = count;
    else best = { count, result };
  }
  return best;
}
