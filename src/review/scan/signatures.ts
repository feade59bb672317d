import { where } from "./matchers.ts";
import type { Matcher } from "./rule.ts";
import type { ScanText } from "./text.ts";

/** Words of the languages in which detections are written: two of them make a rule of Sigma, YARA, Falco, Semgrep, Suricata or a firewall. */
const marks = [
  /\bdetection\s?:|\bselection\w{0,12}\s?:/,
  /\bcondition\s?:/,
  /\blogsource\s?:|\bcommandline\|/,
  /\bstrings\s?:\s/,
  /\bsecrule\b|\bmsg:|\bsid:\d/,
  /\brule\s\w{1,40}\s?\{/,
  /\bfalsepositives\s?:|\battack\.t\d{4}/,
  /^[ \t-]{0,8}rule\s?:\s/m,
  /\bpriority\s?:\s?(?:emergency|alert|critical|error|warning|notice)/,
  /\bpatterns?(?:-\w{2,12})?\s?:\s/,
  /\bseverity\s?:\s?["']?(?:error|warning|info|low|medium|high|critical)/,
  /\bproc\.(?:name|cmdline|pname)\b|\bspawned_process\b|\bprocesscommandline\b|\bprocess\.(?:args|command_line|name)\b/,
];

/** What the matcher finds, but not what a detection rule looks for. */
export function outsideSignatures(matcher: Matcher): Matcher {
  return where(matcher, (text, hit) => text.regionAt(hit.start) !== "fence" || !isSignature(text, hit.start));
}

/** Whether the words of a detection rule stand around a place. In a script, and in comments, they make no rule. */
export function isSignature(text: ScanText, at: number): boolean {
  if (text.kind === "code") return false;
  const around = text.lower.slice(Math.max(0, at - 800), at + 500).replace(/^[ \t]{0,20}(?:#|\/\/)[^\n]{0,800}/gm, "");
  let found = 0;
  for (const mark of marks) if (mark.test(around) && ++found === 2) return true;
  return false;
}
