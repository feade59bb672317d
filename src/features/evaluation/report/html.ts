import { safeLine } from "../../../core/text.ts";

/** A piece of the page in which everything foreign is escaped already. Only `html` makes them. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Markup | readonly Markup[];

/** Markup of ours, with what is put into it escaped: a query or a name can say anything (T34). */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(parts.reduce((text, part, at) => `${text}${textOf(pieces[at - 1] ?? "")}${part}`));
}

function textOf(piece: Piece): string {
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === "number") return String(piece);
  return typeof piece === "string" ? escaped(piece) : piece.map(({ text }) => text).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => entities[character] ?? "");
}

/** Foreign text on one line, bounded, with what cannot be seen made visible. */
export function shown(text: string, longest: number): string {
  return safeLine(text, longest);
}

export function percent(share: number | null): string {
  return share === null ? "–" : `${(share * 100).toFixed(1)} %`;
}

/** Milliseconds to two or three digits, as seconds where there are many. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds >= 100 ? Math.round(milliseconds) : Number(milliseconds.toPrecision(2))} ms`;
}

export function size(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The whole style of the page. It is known to the page's policy by its hash: no other style is taken. */
export const style = `
:root { color-scheme: light dark; --paper: #fbfbfa; --card: #fff; --ink: #1c1e21; --soft: #5d636b; --line: #e3e4e2;
  --first: #2563c9; --second: #d9782d; --bad: #b3261e; --grid: #ecedeb; --tint: #eef3fb; }
@media (prefers-color-scheme: dark) { :root { --paper: #131517; --card: #1b1e21; --ink: #e8e9ea; --soft: #9aa1a9;
  --line: #2e3236; --first: #6ea3f5; --second: #f0a05c; --bad: #f2837b; --grid: #272b2f; --tint: #1f2937; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0; letter-spacing: -0.01em; }
h2 { font-size: 17px; margin: 0 0 4px; }
p { margin: 0; }
.soft { color: var(--soft); }
.small { font-size: 13px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 24px 0; }
.tile, section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.tile { padding: 14px 16px; }
.tile b { display: block; font-size: 27px; line-height: 1.25; font-weight: 650; letter-spacing: -0.02em; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
section { padding: 18px 20px 20px; margin: 0 0 16px; overflow-x: auto; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 16px; }
.gate { border-left: 4px solid var(--bad); padding: 8px 14px; margin: 16px 0 0; background: var(--card); }
svg { display: block; width: 100%; height: auto; margin-top: 12px; }
svg.wide { min-width: 620px; }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
svg .name, svg .value { fill: var(--ink); }
svg .value { font-variant-numeric: tabular-nums; }
svg .end { text-anchor: end; }
svg .middle { text-anchor: middle; }
svg .grid { stroke: var(--grid); }
svg .one { fill: var(--first); }
svg .two { fill: var(--second); }
svg .whisker { stroke: var(--ink); stroke-width: 1.25; opacity: 0.75; }
svg .curve { fill: none; stroke: var(--first); stroke-width: 2.25; stroke-linejoin: round; }
svg .area { fill: var(--first); opacity: 0.09; }
svg .point { fill: var(--second); stroke: var(--card); stroke-width: 2; }
svg .mark { stroke: var(--second); stroke-width: 1.5; stroke-dasharray: 4 3; }
svg .strong { fill: var(--ink); font-weight: 600; }
.key { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin: 0 5px 0 12px; }
.key:first-child { margin-left: 0; }
.key.one { background: var(--first); }
.key.two { background: var(--second); }
table { width: 100%; border-collapse: collapse; margin-top: 10px; font-size: 13.5px; }
th { text-align: left; font-weight: 500; color: var(--soft); border-bottom: 1px solid var(--line); }
th, td { padding: 6px 12px 6px 0; vertical-align: top; }
td { border-bottom: 1px solid var(--grid); overflow-wrap: anywhere; }
tr:last-child td { border-bottom: 0; }
.query { width: 36%; }
.skill { width: 24%; }
.half { width: 52%; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.id { font: 12.5px/1.6 ui-monospace, monospace; }
.arrow { color: var(--soft); }
.word { display: inline-block; background: var(--tint); border-radius: 5px; padding: 0 6px; margin: 0 4px 3px 0;
  font-size: 12.5px; }
footer { margin-top: 24px; }
@media print { section, .tile { break-inside: avoid; } }
`;
