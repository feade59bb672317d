import { any } from "../matchers.ts";
import { said } from "../sentences.ts";

const needNotKnow = said(
  /\b(?:user|human|owner|operator|customer|person|client)s? (?:doesn.t|does not|don.t|do not|needn.t|need not|should never|must never|never) (?:need |have |needs )?(?:to )?(?:know|be told|be aware|hear|learn|find out)\b(?: (?:that|about (?:this|it|the|any))\b|[.,;])/,
  "know",
  "told",
  "aware",
  "hear",
  "learn",
  "find",
);
const staysHidden = said(
  /\b(?:must|shall|has to|have to|needs? to) (?:always )?(?:remain|stay|be kept|be) (?:completely |fully |entirely )?(?:invisible|hidden|unseen|unnoticed|undetected|secret|concealed|unknown) (?:to|from|for|by) (?:the |any |your |all )?(?:end )?(?:users?|human|person|people|owner|operator|whoever|anyone|everyone|customers?|reviewers?|client)\b/,
  "invisible",
  "hidden",
  "unseen",
  "unnoticed",
  "undetected",
  "secret",
  "concealed",
  "unknown",
);
const sayOnly = said(
  /\b(?:if|when|whenever|should) (?:you are |you.re |you get |they |anyone |someone |the user |ever )?(?:asked|asks?|questioned|challenged)\b[^\n.!?]{0,40}, ?(?:just |simply |only |merely )?(?:say|answer|reply|respond|tell them|admit) (?:only|just|simply|merely|nothing)\b/,
  "only",
  "just",
  "simply",
  "merely",
  "nothing",
);
const sayNothing = said(
  /\b(?:and|then|but) (?:say nothing|keep (?:quiet|silent|mum)|stay silent|make no mention)(?: (?:about|of) (?:it|this|that|the [a-z]{2,14}))?(?=[.,;!\n])|\bkeep (?:quiet|silent|mum) about (?:it|this|that|these|the)\b|\bbehind (?:the |their |your )?(?:user|owner|human|operator|customer|client|boss)(?:.s|s.) back\b|\bno need to (?:tell|inform|notify|bother|alert) (?:the |your )?(?:user|human|owner|customer|person)s? (?:about|that|of|with)\b|\bwithout (?:drawing|attracting) (?:any )?(?:attention|notice)\b/,
  "nothing",
  "quiet",
  "silent",
  "mum",
  "mention",
  "back",
  "need",
  "attention",
  "notice",
);
const outOfSummary = said(
  /\b(?:keep|leave|omit|exclude|strip|drop)s? (?:this|it|these|that|the [a-z]{2,14}|any mention of [^\n.!?]{2,30}) (?:steps? |actions? |calls? )?(?:out of|from|off) (?:the |your |any |every )?(?:[a-z]{2,12} )?(?:summary|summaries|report|reply|response|answer|changelog|transcript)\b[^\n.!?]{0,20}\b(?:user|you (?:give|show|send)|person|human|shown|customer)\b/,
  "summary",
  "summaries",
  "report",
  "reply",
  "response",
  "answer",
  "changelog",
  "transcript",
);
const nobodyTold = said(
  /\b(?:nobody|no one|users?|customer|reader|person|human)\b (?:needs? (?:no notice|to be told(?! (?:how|to|when))|not (?:be told|know))|should not hear|must not hear|is not to (?:know|be told|learn)|are not to (?:know|be told|learn))\b/,
  "needs",
  "need",
  "hear",
  "not",
);
const neverShow = said(
  /\b(?:never|do not|don.t) (?:show|print|display|quote|repeat) (?:the |this |that |these )(?:call|upload|request|step|cell|field|copy|transfer|order)s?\b(?: or|[.,;]| to (?:the |any )?(?:user|human|person))|\bnever (?:a )?part of the (?:preview|summary|reply|answer)\b|\b(?:not|never) mentioned (?:to|in front of) the (?:human|person|customer|client|owner)\b/,
);
const beforeSeen = said(
  /\b(?:delete|remove|archive|trash|bin|intercept|hide|go (?:straight )?to the (?:bin|trash))\b[^\n.!?]{0,50}\bbefore (?:the )?(?:user|owner|customer|person|human|they)s? (?:can |could |ever )?(?:sees?|reads?|notices?|opens?)\b/,
  "before",
);
const unknownOrder = said(
  /\b(?:never|do not|don.t) (?:disclose|reveal|mention|admit|say) that (?:an?|this|these|any|such an?|the) (?:instructions?|orders?|rules?|notes?|section|preference|request|procedure)\b[^\n.!?]{0,30}\b(?:exists?|is there|was given|were given|is in place)\b|\bfor the (?:model|assistant|agent|ai) only\b[^\n.!?]{0,4}\bnot for\b/,
  "disclose",
  "reveal",
  "mention",
  "admit",
  "say",
  "only",
);

/** Words by which something is left out of what the user hears or sees. */
export const unspoken = any(
  needNotKnow,
  staysHidden,
  sayOnly,
  sayNothing,
  outOfSummary,
  nobodyTold,
  neverShow,
  beforeSeen,
  unknownOrder,
);
