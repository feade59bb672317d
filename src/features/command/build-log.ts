/**
 * What a build prints is read by the machine that runs it: GitHub obeys a line that begins with `::` and `##[…]`
 * anywhere, Azure Pipelines `##vso[…]`, TeamCity `##teamcity[…]`. Text out of a hostile skill must be none of these.
 */
const marks = /##(?=[a-z]{0,32}\[)/gi;
const lineStarts = /^([^\S\n]*):(?=:)/gm;

/** The same text, in which no build finds an order. The mark that was changed can be seen: `#\u{23}vso[`. */
export function withoutOrders(text: string): string {
  return text.replace(marks, "#\\u{23}").replace(lineStarts, "$1\\u{3a}");
}

/** JSON of the same value. A number sign stands only inside of its texts, and no line of it begins with a colon. */
export function jsonWithoutOrders(json: string): string {
  return json.replace(marks, "#\\u0023");
}
