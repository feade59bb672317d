/** A character reference of HTML. An ampersand that is itself encoded a few times over is one, too. */
const entity =
  /&(?:amp;){0,3}(?:#0{0,9}([1-9]\d{0,6})(?![0-9])|#[xX]0{0,9}([0-9a-fA-F]{1,6})(?![0-9a-fA-F])|([A-Za-z]{2,8})(?=;));?/g;

/** Those that stand for something a rule could look for: each name with its sign. */
const signs =
  "amp& lt< gt> quot\" apos' hellip... hyphen- dash- ndash- lsquo' rsquo' ldquo\" rdquo\" colon: semi; comma, period. excl! quest? num# dollar$ percnt% commat@ ast* plus+ equals= lowbar_ grave` vert| verbar| sol/ bsol\\ lpar( rpar) lbrack[ rbrack] lsqb[ rsqb] lbrace{ rbrace} lcub{ rcub} tilde~";
const blanks = "nbsp ensp emsp thinsp Tab NewLine";
const unseen = "shy zwj zwnj lrm rlm";

const named: ReadonlyMap<string, string> = new Map([
  ...signs.split(" ").map((entry) => [entry.replace(/[^A-Za-z].*$/, ""), entry.replace(/^[A-Za-z]+/, "")] as const),
  ...blanks.split(" ").map((name) => [name, " "] as const),
  ...unseen.split(" ").map((name) => [name, ""] as const),
]);

export function resolveEntities(text: string): string {
  return text.replace(entity, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const isScalar = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    // A line that ends in an entity does not end in the file.
    return !isScalar || code === 0 ? whole : code < 0x20 ? " " : String.fromCodePoint(code);
  });
}
