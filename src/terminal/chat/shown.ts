import { type Line, type Look, type Span, span, fit, line } from "../line.ts";
import { cellsOf, headOf, tailOf, visible } from "../width.ts";
import { plural } from "../wording.ts";
import type { AgentState } from "../../agent/agent.ts";

/** What only joins the parts of an emoji, or says that it is one: terminals do not agree on what to make of it. */
const joiners =
  /(?<=\p{Extended_Pictographic})\uFE0F|(?<=[0-9#*])\uFE0F(?=\u20E3)|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200D(?=\p{Extended_Pictographic})/gu;

const tabWidth = 4;

/** One line of text that is not ours (T34): tabs as blanks, emoji by their parts, everything else unseen by its number. */
export function shown(text: string, ...look: readonly Look[]): Line {
  return [span(withoutTabs(withoutJoiners(text)), ...look)];
}

function withoutJoiners(text: string): string {
  // Twice: the sign that says "emoji" stands before the one that joins.
  return /[\uFE0F\u200D]/.test(text) ? text.replace(joiners, "").replace(joiners, "") : text;
}

function withoutTabs(text: string): string {
  if (!text.includes("\t")) return text;
  const [first = "", ...parts] = text.split("\t");
  let [whole, cells] = [first, cellsOf(first)];
  for (const part of parts) {
    const blanks = tabWidth - (cells % tabWidth);
    whole += " ".repeat(blanks) + part;
    cells += blanks + cellsOf(part);
  }
  return whole;
}

export function linesIn(text: string): string[] {
  return text.split(/\r?\n/);
}

/** As deep as code is set in; more of them only push out of sight what stands behind. */
const fewBlanks = 16;
const fewEmptyLines = 3;
const longRuns = new RegExp(`([\\p{Zs}\\t]{${fewBlanks + 1},})`, "u");
const isBlank = (text: string) => /^[\p{Zs}\t]*$/u.test(text);
/** Laying out takes a look at the whole rest of a part for each row. */
const stretches = /[^]{1,1000}/gu;

/** Lines of text that is not ours, with a mark for each long run of what looks like nothing. Made one by one: most may never be seen. */
export function* foldedLines(text: string): Generator<Line> {
  let empty: string[] = [];
  for (const each of linesIn(text)) {
    if (isBlank(each)) empty.push(each);
    else {
      yield* foldEmpty(empty);
      empty = [];
      yield foldBlanks(each);
    }
  }
  yield* foldEmpty(empty);
}

function foldEmpty(lines: readonly string[]): readonly Line[] {
  return lines.length > fewEmptyLines ? [[mark(plural(lines.length, "empty line"))]] : lines.map(foldBlanks);
}

function foldBlanks(text: string): Line {
  // Every second part is a run.
  return text
    .split(longRuns)
    .flatMap((part, index) =>
      index % 2 === 1
        ? [mark(plural(part.length, "blank"))]
        : (part.match(stretches) ?? []).flatMap((each) => shown(each)),
    );
}

/** No text has this look, so that none can pass for a mark. */
function mark(text: string): Span {
  return { ...span(`⟨${text}⟩`, "reverse"), isWhole: true };
}

/** In the manner of 1.2k, for a number that is only looked at. */
export function roughly(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${trimmed(count / 1000)}k` : `${trimmed(count / 1_000_000)}M`;
}

function trimmed(value: number): string {
  return value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
}

/** One row, for what stands under the prompt. Where it is narrow, the model's name gives way to what changes. */
export function statusLine(state: AgentState, columns: number): Line {
  const { model, skills, unconfirmed, generation, tokens, held } = state;
  const waiting = unconfirmed === 0 ? "" : ` (${unconfirmed} unconfirmed)`;
  const parts = [`${plural(skills, "skill")}${waiting}`, `gen ${generation}`, `${roughly(tokens)} tokens`];
  const scope = held.length === 0 ? [] : [`scope: ${held.join(",")}`];
  const known = visible([...parts, ...scope].join(between));
  const name = cutInside(visible(model), columns - cellsOf(`  ${between}${known}`));
  return fit(line(`  ${name === "" ? "" : `${name}${between}`}${known}`, "dim"), columns);
}

const between = " · ";
/** Less of a name says nothing. */
const shortestName = 8;

/** Both ends of it, which tell a provider and a model; nothing where that is too little. */
function cutInside(name: string, cells: number): string {
  if (cellsOf(name) <= cells) return name;
  if (cells < shortestName) return "";
  const head = Math.floor((cells - 1) / 2);
  return `${headOf(name, head)}…${tailOf(name, cells - 1 - head)}`;
}

export function greeting({ workspace, skills, unconfirmed }: AgentState): Line[] {
  const trust = unconfirmed === 0 ? "" : `, ${unconfirmed} of them unconfirmed: /skills shows them`;
  const found = skills === 0 ? "no skills here yet" : `${plural(skills, "skill")}${trust}`;
  return [
    [span("Skillward", "bold", "cyan"), span(`  ${workspace}`, "dim")],
    line(`${found} · /help for all else`, "dim"),
  ];
}
