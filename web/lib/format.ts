const whole = new Intl.NumberFormat("en");
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

export function count(number: number): string {
  return whole.format(number);
}

/** `1 skill`, `3 skills`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function bytes(number: number): string {
  if (number < 1000) return `${number} B`;
  if (number < 1_000_000) return `${(number / 1000).toFixed(1)} kB`;
  return `${(number / 1_000_000).toFixed(1)} MB`;
}

export function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} %`;
}

/** The same without a fraction, for where there is little room. */
export function share(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}

export function date(milliseconds: number): string {
  return day.format(milliseconds);
}

export function time(milliseconds: number): string {
  return moment.format(milliseconds);
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const;

/** `2 h ago`; beside it the exact time belongs into a title. */
export function ago(milliseconds: number, now = Date.now()): string {
  const passed = now - milliseconds;
  if (passed > 30 * 86_400_000) return date(milliseconds);
  for (const [unit, size] of units) if (passed >= size) return `${Math.floor(passed / size)} ${unit} ago`;
  return "just now";
}

/** Enough of a digest to tell it from others. */
export function short(digest: string): string {
  return digest.replace(/^sha256:/, "").slice(0, 12);
}

/** A digest in groups that can be read out and compared. */
export function grouped(digest: string): string {
  return digest.replace(/^sha256:/, "").replaceAll(/.{4}(?=.)/g, "$& ");
}
