import { AppError } from "../core/error.ts";
import { isSourceId } from "../core/ids.ts";
import { isRecord } from "../core/json/json.ts";
import { safeLine } from "../core/text.ts";

/** What a field may hold. `read` gives undefined for anything else. */
export interface Shape<T> {
  /** Completes the sentence "expected …". */
  readonly expected: string;
  read(value: unknown): T | undefined;
}

/** The fields of one record, typed or stored. What cannot be had otherwise is `otherwise`; without that it is refused. */
export interface Fields {
  take<T>(name: string, shape: Shape<T>, otherwise: T | undefined): T;
  /** The fields of a field. */
  within(name: string, known: readonly string[]): Fields;
}

/** What a person typed: a field that is missing stays as it was; rubbish and unknown names are refused by name. */
export function typedFields(typed: unknown, known: readonly string[], path = ""): Fields {
  if (!isRecord(typed)) throw invalid(path.slice(0, -1) || "the record", "an object with named fields");
  const stranger = Object.keys(typed).find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw new AppError(
      "usage.invalid",
      `${path}${safeLine(stranger, 64)}: no such field; there are ${known.join(", ")}`,
    );
  return {
    take: (name, shape, otherwise) => {
      const value = typed[name];
      const taken = value === undefined ? otherwise : shape.read(value);
      if (taken === undefined) throw invalid(path + name, shape.expected);
      return taken;
    },
    within: (name, inner) => typedFields(typed[name] ?? {}, inner, `${path}${name}.`),
  };
}

/** What the store holds: a word that is missing or unknown reads as `otherwise`, the safest; nothing else is guessed. */
export function storedFields(stored: unknown, damaged: () => AppError): Fields {
  const values = isRecord(stored) ? stored : {};
  return {
    take: (name, shape, otherwise) => {
      const read = shape.read(values[name]);
      const taken = read === undefined ? otherwise : read;
      if (taken === undefined) throw damaged();
      return taken;
    },
    within: (name) => storedFields(values[name], damaged),
  };
}

export function invalid(field: string, expected: string): AppError {
  return new AppError("usage.invalid", `${field}: expected ${expected}`);
}

export function oneOf<Word extends string>(words: readonly Word[]): Shape<Word> {
  return { expected: `one of ${words.join(", ")}`, read: (value) => words.find((word) => word === value) };
}

/** One pattern for the ids of sources, providers, configurations and tasks. */
export const idShape: Shape<string> = {
  expected: "lowercase letters, digits and single hyphens, at most 64",
  read: (value) => (typeof value === "string" && isSourceId(value) ? value : undefined),
};

const longestText = 256 * 1024;

export const textShape: Shape<string> = {
  expected: `text of at most ${longestText} bytes`,
  read: (value) =>
    typeof value === "string" && value.isWellFormed() && Buffer.byteLength(value) <= longestText ? value : undefined,
};

export const switchShape: Shape<boolean> = {
  expected: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
};

/** A list without repetition, each of whose items fits. */
export function listShape<T>(item: Shape<T>, most: number): Shape<readonly T[]> {
  return {
    expected: `a list of at most ${most}, each ${item.expected}`,
    read: (value) => {
      if (!Array.isArray(value) || value.length > most) return undefined;
      const items = value.map((each) => item.read(each));
      return items.every((each) => each !== undefined) ? [...new Set(items)] : undefined;
    },
  };
}

/** A number, or its digits as a command line hands them over. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : undefined;
}
