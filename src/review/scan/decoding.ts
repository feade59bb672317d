import { intoShell } from "./fetching.ts";
import { flows } from "./flows.ts";
import { any, followedBy, seen } from "./matchers.ts";
import type { Matcher } from "./rule.ts";
import { several } from "./several.ts";

const decodeWords = "base64 base32 openssl xxd printf rev tr gunzip zcat gzip echo uudecode certutil";

/** A command that turns something unreadable into text: encoded, reversed, shifted, escaped, packed. */
const decodes = several(
  decodeWords,
  /\bbase(?:64|32)\s{1,2}(?:-d|-di|--decode)\b[^\n|;]{0,200}/,
  /\bopenssl\s(?:base64|enc)\b[^\n|]{0,40}\s-d\b[^\n|;]{0,80}/,
  /\bxxd\s-[a-z-]{0,6}r[^\n|;]{0,80}/,
  /\buudecode\b[^\n|;]{0,80}/,
  /\|\s?rev\b/,
  /\|\s?tr\s(?!-d)["']?[^\n|]{0,6}[a-z0-9]-[a-z0-9][^\n|]{1,40}/,
  /(?:\bgunzip|\bzcat|\bgzip\s-[a-z]{0,3}d)\b[^\n|;]{0,80}/,
  /(?:\bprintf|\becho\s-[a-z]{0,2}e[a-z]{0,2})\s[^\n|]{0,12}\\(?:x[0-9a-f]|[0-7]{2})[^\n|]{0,600}/,
);

const opening = String.raw`\b(?:(?:ba|z|da|k)?sh|eval|source|python[23]?|node|perl|ruby|php)\s{1,2}(?:-[a-z]{1,4}\s)?(?:<<<\s?)?["']?(?:\$\(|<\(|\x60)[^\n)]{0,400}`;

/** What is decoded goes into a shell: `… | base64 -d | sh`, `bash -c "$(… base64 -d)"`, `bash <(base64 -d …)`. */
const given = any(
  followedBy(decodes, intoShell, 8),
  several(
    decodeWords,
    String.raw`${opening}\bbase(?:64|32)\s{1,2}(?:-d|-di|--decode)`,
    String.raw`${opening}\bopenssl\s(?:base64|enc)\b`,
    String.raw`${opening}(?:\bxxd\s-[a-z]{0,3}r|\|\s?rev\b|\\x[0-9a-f]{2}\\x)`,
  ),
  seen(/\bbase(?:64|32)\s{1,2}(?:-d|-di|--decode)\b[^\n|]{0,80}\|\s{0,3}xargs\b/, "xargs"),
);

/** A variable or a file that is filled with what was decoded, and run. */
const kept = flows(
  [
    String.raw`(?:^|[\n;&])\s{0,8}(?:export\s)?(\w{1,40})=["']?(?:\$\(|\x60)[^\n]{0,400}(?:base(?:64|32)\s(?:-d|--decode)|openssl\s(?:base64|enc)|xxd\s-[a-z]{0,3}r|\\x[0-9a-f]{2}\\x)`,
    String.raw`(?:base(?:64|32)\s{1,2}(?:-d|-di|--decode)|xxd\s-[a-z]{0,3}r|openssl\s(?:base64|enc)\s-d)[^\n;&]{0,120}>\s?(["']?[^\s"'&;|]{1,120})`,
    String.raw`\bcertutil(?:\.exe)?\s[-/]decode(?:hex)?\s[^\s]{1,120}\s([^\s]{1,120})`,
  ],
  [
    String.raw`\b(?:eval|sh\s-c|exec|source|<<<)\s{0,2}["']?\$\{?(\w{1,40})`,
    String.raw`\becho\s["']?\$\{?(\w{1,40})\}?["']?\s?\|\s?(?:sudo\s)?(?:ba|z|da)?sh\b`,
    String.raw`\bchmod\s[^\s]{0,6}(?:\+x|[0-7]{0,2}[157][0-7]{0,2})\s(["']?[^\s"'&;|)]{1,120})`,
    String.raw`\b(?:(?:ba|z|da|k)?sh|python[23]?|node|perl|source|start|nohup)[ \t](["']?[^\s"'&;|)]{1,120})`,
  ],
  800,
  ...decodeWords.split(" "),
);

export const runsDecoded: Matcher = any(given, kept);
