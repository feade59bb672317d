/** A body by what its lines are for. */
export interface Outline {
  readonly headings: string;
  /** What says when the skill is to be used. */
  readonly occasions: string;
  readonly prose: string;
  readonly code: string;
  /** What says when it is not. */
  readonly exceptions: string;
}

const occasion =
  /when to (?:use|activate|apply|invoke|trigger)|use (?:this )?(?:skill )?(?:when|for|if|cases?)|trigger|activation|activate|invoke (?:this|when)|example (?:prompts?|quer|requests?|usage)|usage examples?|sample (?:prompts?|quer)|user (?:says|asks|requests?|intent)|何时|触发|使用场景|适用/i;
const exception =
  /\b(?:do not|don['’]?t|not) (?:use|for|trigger|invoke|activate|apply|intended|when)\b|\bnot (?:to use|for use)\b|\bout of scope\b|\bskip (?:when|if|for)\b|\bnever use\b|\bwhen not\b|不要|不适用/i;
const occasionLine = /\buse (?:this skill )?when\b|\btriggers?\b.{0,20}:/i;
const fence = /^ {0,8}(?:```|~~~)/;
const heading = /^ {0,3}#{1,6}[ \t](.*)/;
const boldLine = /^ {0,8}\*\*([^*]{3,60})\*\*:?[ \t]{0,8}$/;

/** Of a line only so much is looked at to see what it is: one may be as long as the body. */
const longestLooked = 512;

export function outlineOf(body: string): Outline {
  const parts = { headings: "", occasions: "", prose: "", code: "", exceptions: "" };
  let isCode = false;
  let section: "prose" | "occasions" | "exceptions" = "prose";
  for (const line of body.split("\n")) {
    const looked = line.slice(0, longestLooked);
    const title = isCode ? undefined : titleOf(looked);
    if (fence.test(looked)) isCode = !isCode;
    else if (isCode) parts.code += `${line}\n`;
    else if (title !== undefined) {
      section = sectionOf(title);
      if (section === "prose") parts.headings += `${title}\n`;
    } else parts[sectionOfLine(looked, section)] += `${line}\n`;
  }
  return parts;
}

function titleOf(line: string): string | undefined {
  return (heading.exec(line) ?? boldLine.exec(line))?.[1];
}

function sectionOf(title: string): "prose" | "occasions" | "exceptions" {
  if (exception.test(title)) return "exceptions";
  return occasion.test(title) ? "occasions" : "prose";
}

function sectionOfLine(line: string, section: "prose" | "occasions" | "exceptions") {
  if (section === "occasions" && exception.test(line)) return "exceptions";
  return section === "prose" && occasionLine.test(line) ? "occasions" : section;
}

/** Where a sentence ends, or what is said changes from what a skill is for to what it is not for. */
const sentenceEnd =
  /(?<=[.!?。；;])\s{1,8}|\n|(?<!\b(?:DO|Do) )(?=\b(?:DO NOT|Do not|Don't|NOT) (?:use|USE|for|FOR)\b)|(?<!\b(?:NOT|not|Don't) )(?=\b(?:USE FOR|Use for|WHEN|Use when)\b)/;

/** A description without the sentences that say what the skill is not for, and those. */
export function descriptionParts(description: string): { readonly said: string; readonly exceptions: string } {
  const sentences = description.split(sentenceEnd);
  return {
    said: sentences.filter((sentence) => !isException(sentence)).join("\n"),
    exceptions: sentences.filter(isException).join("\n"),
  };
}

function isException(sentence: string): boolean {
  return exception.test(sentence.slice(0, longestLooked));
}
