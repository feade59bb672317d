import { posix } from "node:path";
import { isSourceId } from "../../core/ids.ts";
import { hasUnseen, isPrintableAscii } from "../../core/text.ts";
import { isNull } from "../../skill/core-value.ts";
import type { YamlNode } from "../../skill/yaml.ts";
import { canonicalAddress } from "../../net/address.ts";
import { isPairName } from "../../net/private-pairs.ts";

/** One kind of value that a key can have. */
export interface ValueKind<Value> {
  /** What to write, in words: for messages and for the documentation. */
  readonly expects: string;
  /** Undefined: not such a value. */
  readonly parse: (node: YamlNode) => Value | undefined;
  /** Where one is made of several: which of them are wrong, and what to write there. */
  readonly faults?: (node: YamlNode) => readonly ValueFault[];
}

export interface ValueFault {
  readonly line: number;
  readonly expects: string;
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ["on", true],
  ["true", true],
  ["off", false],
  ["false", false],
]);

export const onOff: ValueKind<boolean> = {
  expects: "`on` or `off`",
  parse: (node) => switches.get(textOf(node).toLowerCase()),
};

const counts: ReadonlyMap<string, 1 | 2> = new Map([
  ["1", 1],
  ["2", 2],
]);

export const oneOrTwo: ValueKind<1 | 2> = {
  expects: "`1` or `2`",
  parse: (node) => counts.get(textOf(node)),
};

/** Every number has an end: nothing is ever unlimited, and no sum of bounds overflows. */
export function wholeNumber(most: number): ValueKind<number> {
  return {
    expects: `a whole number from 1 to ${most}`,
    parse: (node) => within(most, numberOf(textOf(node))),
  };
}

export function daysOrForever(most: number): ValueKind<number | null> {
  const days = wholeNumber(most);
  return {
    expects: `${days.expects}, or \`forever\``,
    parse: (node) => (textOf(node) === "forever" ? null : days.parse(node)),
  };
}

const units: Readonly<Record<string, number>> = { "": 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };
const size = /^([0-9]{1,16}) ?(|KiB|MiB|GiB)$/;

export function bytes(most: number): ValueKind<number> {
  return {
    expects: `bytes from 1 to ${most / 2 ** 30}GiB, as a number or with KiB, MiB or GiB`,
    parse: (node) => {
      const [, digits = "", unit = ""] = size.exec(textOf(node)) ?? [];
      return within(most, (numberOf(digits) ?? 0) * (units[unit] ?? 0));
    },
  };
}

export const storeOrNone: ValueKind<string | null> = {
  expects: "`postgres://…`, the absolute path of a SQLite file, or `null`",
  parse: (node) => (isNull(node) ? null : isStore(textOf(node)) ? textOf(node) : undefined),
};

/** Never a relative path: it would mean a file of whatever folder one happens to stand in (T44). */
export function isStore(text: string): boolean {
  if (hasUnseen(text)) return false;
  if (/^postgres(?:ql)?:\/\//.test(text)) return URL.canParse(text);
  return posix.isAbsolute(text) && !text.endsWith("/");
}

/** To which paths are added: those of a protocol, or our own. */
export const originOrNone: ValueKind<string | null> = {
  expects: "`https://host` or `http://host:port` without a path, or `null`",
  parse: (node) => (isNull(node) ? null : originOf(textOf(node))),
};

function originOf(text: string): string | undefined {
  if (hasUnseen(text) || !/^https?:\/\/[^/\\?#@\s]+\/?$/.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).origin;
}

/** As it stands, since issuers are compared to the letter, also in whether they end with a slash (SV-11). */
export const issuerOrNone: ValueKind<string | null> = {
  expects: "`https://host/path` as the issuer writes it, without a query, or `null`",
  parse: (node) => (isNull(node) ? null : urlIn(textOf(node), /^https?:\/\/[^/\\?#@\s]+(?:\/[^\\?#\s]*)?$/)),
};

/** Its query may hold a secret: it is shown nowhere. */
export const urlOrNone: ValueKind<string | null> = {
  expects: "`https://host/path`, or `null`",
  parse: (node) => (isNull(node) ? null : urlIn(textOf(node), /^https?:\/\/[^/\\?#@\s]+(?:[/?][^\\#\s]*)?$/)),
};

function urlIn(text: string, form: RegExp): string | undefined {
  return text.length <= 2048 && isPrintableAscii(text) && form.test(text) && URL.canParse(text) ? text : undefined;
}

const mostAddresses = 64;

/** SV-11: one machine each, never a range; all spellings of an address are one. */
export const addresses: ValueKind<readonly string[]> = {
  expects: `a list of at most ${mostAddresses} IP addresses, each of one machine`,
  parse: (node) => {
    if (node.kind !== "list" || node.items.length > mostAddresses) return undefined;
    const known = node.items.flatMap((item) => canonicalAddress(textOf(item)) ?? []);
    return known.length === node.items.length ? known : undefined;
  },
};

/** Kept in lower case, as Node has them. */
export const headerName: ValueKind<string> = {
  expects: "the name of a header: letters, digits and hyphens",
  parse: (node) => (/^[a-z][a-z0-9-]{0,63}$/i.test(textOf(node)) ? textOf(node).toLowerCase() : undefined),
};

/** Words for people, or names that another service gave. */
export function line(most: number): ValueKind<string> {
  return {
    expects: `a text of 1 to ${most} characters on one line`,
    parse: (node) => (isLine(textOf(node), most) ? textOf(node) : undefined),
  };
}

export function lineOrNone(most: number): ValueKind<string | null> {
  const some = line(most);
  return { expects: `${some.expects}, or \`null\``, parse: (node) => (isNull(node) ? null : some.parse(node)) };
}

function isLine(text: string, most: number): boolean {
  return text !== "" && text.trim() === text && text.length <= most && !hasUnseen(text);
}

const mostHosts = 64;

export const hostNames: ValueKind<readonly string[]> = {
  expects: `a list of at most ${mostHosts} host names, without scheme and port`,
  parse: (node) => {
    if (node.kind !== "list" || node.items.length > mostHosts) return undefined;
    const names = node.items.map((item) => textOf(item).toLowerCase());
    return names.every((name) => isPairName(`${name}:443`)) ? names : undefined;
  },
};

const mostFolders = 64;

/** IN-13: by name alone, wherever they lie. */
export const folderNames: ValueKind<readonly string[]> = {
  expects: `a list of at most ${mostFolders} names of folders, without \`/\``,
  parse: (node) => {
    if (node.kind !== "list" || node.items.length > mostFolders) return undefined;
    const names = node.items.map(textOf);
    return names.every(isFolderName) ? names : undefined;
  },
};

function isFolderName(name: string): boolean {
  if (name === "" || name === "." || name === ".." || name.trim() !== name || hasUnseen(name)) return false;
  return !/[/\\]/.test(name) && Buffer.byteLength(name) <= 255;
}

/** Words of a closed list, each at most once, in the order that is meant. */
export function someOf<Word extends string>(words: readonly Word[]): ValueKind<readonly Word[]> {
  const known: ReadonlyMap<string, Word> = new Map(words.map((word) => [word, word]));
  return {
    expects: `a list of ${words.map((word) => `\`${word}\``).join(", ")}, each at most once`,
    parse: (node) => {
      if (node.kind !== "list" || node.items.length === 0 || node.items.length > words.length) return undefined;
      const said = node.items.flatMap((item) => known.get(textOf(item)) ?? []);
      return said.length === node.items.length && new Set(said).size === said.length ? said : undefined;
    },
  };
}

/** The id of a record in the store, which is looked for when it is needed. */
export const recordOrNone: ValueKind<string | null> = {
  expects: "the id of a configuration, or `null`",
  parse: (node) => (isNull(node) ? null : isSourceId(textOf(node)) ? textOf(node) : undefined),
};

export function textOf(node: YamlNode): string {
  return node.kind === "scalar" ? node.text : "";
}

function numberOf(text: string): number | undefined {
  return /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined;
}

function within(most: number, number: number | undefined): number | undefined {
  return number !== undefined && number > 0 && number <= most ? number : undefined;
}
