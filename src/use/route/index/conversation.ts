import { lazily, wordsOf } from "./words.ts";

/** Words that people use in talking whatever it is about: as evidence for a skill they are worth next to nothing. */
const spoken = `a an the and or but if then so of in on at by for to from with into about as is are was were be been being
  am do does did doing done have has had having i me my mine we us our you your he him she her it its they them their
  this that these those here there what which who whom whose when where why how not no yes ok okay please thanks thank
  hello hi hey good morning night great nice perfect awesome cool fine sure sorry well just also too very really quite
  some any all can could should would will shall may might must want need like know think see look get got go going come
  make made let give take tell say said ask help now today tomorrow yesterday time day week thing things something
  anything nothing everything one two three first last next other another same more most less least much many again
  still already yet never ever always maybe only than because while until after before up down out off over under back
  way right wrong new old big small long short lot bit kind sort keep try start stop continue work works worked use used
  using happen mean remember understand question answer talk moment minute love happy birthday weekend friend bored
  hungry joke funny world life people man woman best better bad worse
  der die das ein eine und oder ist sind war nicht ja nein bitte danke guten morgen wie was wer wo warum kannst du ich
  mir mich es mit auf el la los las un una y o es son no si por favor gracias hola que como donde porque tu yo mi me de
  en nada muy le les une et ou est sont pas oui non merci bonjour quelle heure ca va tres beaucoup je tu il
  你好 谢谢 请问 今天 现在 什么 怎么 一个 这个 那个 我们 你们 他们 可以 帮我 给我 一下 继续 好的 没有 不要 是什 为什 怎样
  一篇 几点 你是 是谁`;

const conversation = lazily(() => new Set(wordsOf(spoken).map(({ token }) => token)));
const bareNumber = /^\d{1,4}$/;

export function isConversation(token: string): boolean {
  return conversation().has(token) || bareNumber.test(token);
}

/** Of a query so much is looked at to see what kind of question it is. */
const looked = 2_000;

const concept =
  /^\s{0,8}(?:what(?:'s| is| are| does| do)\b|explain\b|define\b|why\b|who\b|when was\b|how (?:old|tall|far|many)\b|tell me about\b|compare\b)|\bwhat is the difference\b|\bconceptual\b|\bin general\b|\boverview\b/i;

/** Whether somebody wants to know something, rather than to have something done. */
export function asksForKnowledge(text: string): boolean {
  return concept.test(text.slice(0, looked));
}

const skills =
  /\b(?:what|when|why|how)\b[^.?!]{0,60}\bskills?\b|\b(?:explain|describe|compare|list)\b[^.?!]{0,60}\bskills?\b|\bis \S{1,64} the right (?:workflow|skill)\b/i;
const whichSkill = /\bwhich\b[^.?!]{0,30}\bskill/i;

/** Whether it speaks of skills themselves. "Which skill does it" is asked by whoever wants one. */
export function speaksOfSkills(text: string): boolean {
  const head = text.slice(0, looked);
  return skills.test(head) && !whichSkill.test(head);
}
