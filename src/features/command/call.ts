import { AppError } from "../../core/error.ts";
import type { Call } from "./command.ts";
import { loadText } from "../../app/files/yaml-file.ts";
import { hasUnseen, safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";

/** The text that an option was given; undefined without it. */
export function textOption({ options }: Call, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** On, off after `--no-…`; undefined without either. */
export function flagOption({ options }: Call, name: string): boolean | undefined {
  const value = options[name];
  return typeof value === "boolean" ? value : undefined;
}

/** The values of a repeatable option; none after `--no-…`, undefined without either. */
export function listOption({ options }: Call, name: string): readonly string[] | undefined {
  const value = options[name];
  if (value === false) return [];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : undefined;
}

/** A whole number above 0. What is no such number is refused here: nothing is guessed from it. */
export function countOption(call: Call, name: string): number | undefined {
  const text = textOption(call, name);
  if (text === undefined || /^[1-9]\d{0,14}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new AppError("usage.invalid", `${flagOf(name)}: expected a whole number above 0`);
}

/** Refuses options that mean nothing beside the others. */
export function refuseOptions({ options }: Call, names: readonly string[], why: string): void {
  const name = names.find((each) => options[each] !== undefined);
  if (name !== undefined) throw new AppError("usage.invalid", `${flagOf(name)} ${why}`);
}

/** As it is typed: `maxFiles` is `--max-files`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Options as they were typed, for a command that goes on from here. */
export function typedAgain(call: Call, names: readonly string[]): string {
  const typed = names.map((name) => [name, textOption(call, name)] as const);
  return typed.map(([name, value]) => (value === undefined ? "" : ` ${flagOf(name)} ${shellWord(value)}`)).join("");
}

/** Refuses a change that says nothing to change: what was meant is likely a typo. */
export function demandChange(typed: Readonly<Record<string, unknown>>, command: string): void {
  if (Object.values(typed).some((value) => value !== undefined)) return;
  throw new AppError("usage.invalid", `say what to change; \`skillward ${command} --help\` lists what can be`);
}

/** As much as a prompt may have. */
const mostBytes = 256 * 1024;

/** A text that is typed as `--<name>`, or lies in the file of `--<name>-file`. */
export async function textOrFile(call: Call, files: Files, name: string): Promise<string | undefined> {
  const typed = textOption(call, name);
  const path = textOption(call, `${name}File`);
  if (path === undefined) return typed;
  if (typed !== undefined) throw new AppError("usage.invalid", `give --${name} or --${name}-file, not both`);
  // Links are followed: this is a path that a person named.
  const { text, why } = await loadText(files, await files.resolve(path), mostBytes);
  if (text === undefined) throw new AppError("usage.invalid", `--${name}-file ${safeLine(path, 240)}: ${why}`);
  return text;
}

/**
 * A word of a command that a person may copy. The folder names that ids are made of are the publisher's: no shell may
 * read more into them than a word, and nothing unseen comes along.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!hasUnseen(word)) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = Array.from(word.replaceAll(/[\\']/g, String.raw`\$&`), (char) =>
    hasUnseen(char) ? escape(char) : char,
  );
  return `$'${escaped.join("")}'`;
}

/** As bash, zsh and ksh read it. */
function escape(char: string): string {
  return `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}
