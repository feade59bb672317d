import type { ScanText } from "./text.ts";

/** A field of the header, as it stands in `text.text`: also when it goes over several lines. */
interface Field {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

const longestHeader = 20_000;

/** Read by its looks, not as YAML: a rule needs the words, and where they are. */
export function headerField(text: ScanText, name: string): Field | undefined {
  const [first] = text.regions;
  if (first?.kind !== "header") return undefined;
  const header = text.text.slice(0, Math.min(first.end, longestHeader));
  const key = `\n${name}:`;
  const found = header.toLowerCase().indexOf(key);
  if (found === -1) return undefined;
  const start = found + key.length;
  const rest = header.slice(start);
  const next = /\n(?:[a-z][\w-]{0,40}:|---)/i.exec(rest);
  const value = rest.slice(0, next?.index ?? rest.length);
  return { start, end: start + value.length, value };
}
