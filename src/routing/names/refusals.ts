/** A name in a text, and what stands around it. */
interface Named {
  readonly before: string;
  readonly after: string;
  /** Of how many words it is. */
  readonly parts: number;
  /** All of them written as one: `pdf-forms`. */
  readonly isCompound: boolean;
}

const start = "(?<![\\p{L}\\p{N}_-])";
const gap = "\\s{1,4}";
const article = `(?:(?:the|my|our|your|this|that|an?)${gap})?`;
/** Also the word that says whose name it is, and marks around it. */
const toName = `${article}(?:skill${gap}(?:(?:called|named)${gap})?)?["'\`“”‘’«*/(]{0,3}$`;
const never = `(?:do${gap}not|don['’]?t|never)`;
const choice = `(?:instead${gap}of|rather${gap}than|other${gap}than)`;

/** As much of what stands before and behind a name as can matter to it. */
const longestNear = 64;

const refusals = {
  /** Whatever the name: "don't use", "instead of the". */
  any: new RegExp(`${start}(?:${never}${gap}use|${choice}(?:${gap}(?:using|use|running|run))?)${gap}${toName}`, "iu"),
  /** Many words are names, and are refused as what they are besides: "never run docker as root". */
  ofSkill: new RegExp(
    `${start}${never}${gap}(?:use|run|invoke|apply|call|load|activate|follow|try)${gap}${toName}`,
    "iu",
  ),
  ofSeveral: new RegExp(`${start}why${gap}is${gap}(?:it|this|that)${gap}not${gap}${toName}`, "iu"),
  /** Who asks "why not" asks for it. */
  ofCompound: new RegExp(`${start}(?<!(?:why|or)${gap})not${gap}${toName}`, "iu"),
};
const skillBefore = /(?<![\p{L}\p{N}_-])skill\s{1,4}(?:(?:called|named)\s{1,4})?["'`“”‘’«*/(]{0,3}$/iu;
const skillBehind = /^["'`”’»*)]{0,3}\s{1,4}skill(?![\p{L}\p{N}_-])/iu;
/** What somebody says of a skill who has found that it is not the one. */
const dismissal = new RegExp(
  `^["'\`”’»*)]{0,3}(?:${gap}skill)?(?:${gap}(?:explicitly|itself))?(?:${gap}says(?:${gap}it)?)?${gap}is${gap}(?:out${gap}of${gap}scope|not${gap}the${gap}right)(?![\\p{L}\\p{N}])`,
  "iu",
);

/** Mostly there is none, and nothing needs to be looked for. */
export const anyRefusal = /(?<![\p{L}\p{N}])(?:not|don['’]?t|never|instead|rather|other|scope)(?![\p{L}\p{N}])/iu;

/**
 * Whether somebody who writes this says that the skill is to be left alone. Nothing but a plain refusal of it counts: that
 * there is no backup is a reason to ask for one.
 */
export function isRefused({ before, after, parts, isCompound }: Named): boolean {
  const [near, next] = [before.slice(-longestNear), after.slice(0, longestNear)];
  if (refusals.any.test(near)) return true;
  if ((parts > 1 || skillBefore.test(near) || skillBehind.test(next)) && refusals.ofSkill.test(near)) return true;
  if (parts > 1 && refusals.ofSeveral.test(near)) return true;
  return isCompound && (refusals.ofCompound.test(near) || dismissal.test(next));
}
