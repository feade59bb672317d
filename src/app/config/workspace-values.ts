import { limits } from "../../core/limits.ts";
import { hasUnseen } from "../../core/text.ts";
import { wholeNumber } from "./config-values.ts";

/** What an item of a list in `skillward.yaml` may be. */
export interface ItemKind {
  readonly expects: string;
  /** How many of them are read. */
  readonly most: number;
  readonly fits: (text: string) => boolean;
}

export const budgetBytes = wholeNumber(2 ** 30);

const { toolEntries, toolBytes } = limits.skill.workspace;

export const tools: ItemKind = {
  expects: `a tool's name, or an entry such as Edit(src/**), of at most ${toolBytes} bytes`,
  most: toolEntries,
  fits: (text) => isShownAsIs(text) && Buffer.byteLength(text) <= toolBytes,
};

export const patterns: ItemKind = {
  expects: "a path pattern relative to the workspace, without `..`, `\\` and a leading `!`",
  most: 256,
  fits: (text) => isShownAsIs(text) && text.length <= 256 && staysInside(text),
};

function isShownAsIs(text: string): boolean {
  return text !== "" && text.trim() === text && !hasUnseen(text);
}

/** A leading `!` would take a pattern back, and with it one that is not this file's: that would widen. */
function staysInside(pattern: string): boolean {
  return !/^(?:[/~!]|[A-Za-z]:)|\\/.test(pattern) && !pattern.split("/").includes("..");
}
