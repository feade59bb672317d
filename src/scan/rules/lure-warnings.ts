import { any, near, seen, several, where } from "../matchers.ts";
import type { Hit, Rule } from "../rule.ts";
import type { ScanText } from "../text.ts";

const guards = several(
  "antivirus virus antimalware defender smartscreen smart gatekeeper xprotect",
  /\banti-?virus\b|\banti-?malware\b|\bdefender\b|\bsmart\s?screen\b|\bgatekeeper\b|\bxprotect\b/,
);
const off = several(
  "",
  /\b(?:disable|deactivate|pause|bypass|kill|uninstall|whitelist|exclude)\b/,
  /\b(?:turn|switch)(?:ing)?\soff\b|\bstop\s(?:your|the|any)\b/,
  /\b(?:add|create|set)\b[^\n.]{0,40}\b(?:exclusion|exception|allow-?list)\b/,
);
const ignored = several(
  "warning warnings alert alerts detection detections",
  /\b(?:ignore|dismiss|disregard|click\spast|allow)\b[^\n.]{0,40}\b(?:warnings?|alerts?|detections?)\b/,
  /\b(?:warnings?|alerts?|detections?)\b[^\n.]{0,40}\b(?:false\spositives?|can\sbe\signored|are\sexpected|is\sexpected|are\snormal|is\snormal)\b/,
);
const program = several(
  "",
  /\b(?:download|installer|executable|windows|macos|browser|chrome)\b/,
  /\.(?:exe|msi|dmg|pkg|zip)\b/,
);

/** Not an entry of a list of what is bad. */
function isOrder({ lower }: ScanText, { start }: Hit): boolean {
  const line = lower.slice(Math.max(lower.lastIndexOf("\n", start) + 1, start - 300), start);
  return !/\b(?:bad|never|avoid|red flags?|warning signs?|suspicious|scam|refuse|stop if)\b[^.!?]{0,240}$/.test(line);
}

export const silencedWarnings: Rule = {
  id: "lure.warnings",
  level: "high",
  title: "asks to switch off or click away the system's warnings",
  why: "The warning is about exactly this program. Whoever tells people beforehand to ignore it knows that it will come. Believe the warning.",
  match: where(
    any(
      near(guards, off, 30),
      near(ignored, guards, 60),
      near(ignored, program, 60),
      seen(/\brun\sanyway\b|\bopen\sanyway\b/, "anyway"),
    ),
    isOrder,
  ),
  hostile: [
    "Disable your antivirus before you start the helper, it is a false positive.\n",
    "If SmartScreen appears, click **More info** and then **Run anyway**.\n",
    "Ignore the warning that Windows shows; the file is safe.\n",
    "Add the folder as an exclusion in Windows Defender.\n",
  ],
  benign: [
    "Also bad: archives with a password, helpers from a paste site, switching off Gatekeeper because a readme says so.\n",
    "Never disable the firewall to make a test pass.\n",
    "Check that Gatekeeper accepts the signed app.\n",
    "Treat compiler warnings as errors.\n",
  ],
};
