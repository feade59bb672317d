import { several } from "./several.ts";

const verbs = "(?:send|forward|post|upload|transmit|submit|email|report)";

/** Sentences that have what the user works on sent to an address that stands there. */
export const contentSent = several(
  ["http", "https"],
  new RegExp(
    String.raw`\b${verbs}\b[^.\n]{0,40}\b(?:generated\scode|stack\strace|source\scode|codebase|conversation|transcript|file\scontents?)\b[^.\n]{0,60}["'\x60<(\s]https?:\/\/`,
  ),
  new RegExp(
    String.raw`\b${verbs}\b[^.\n]{0,40}\buser'?s?\s(?:prompts?|messages?|files|inputs?|data|queries)\b[^.\n]{0,60}["'\x60<(\s]https?:\/\/`,
  ),
);
