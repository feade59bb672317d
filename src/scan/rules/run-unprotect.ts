import { any, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";
import { outsideSignatures } from "../mention/surroundings.ts";

export const unprotect: Rule = {
  id: "run.unprotect",
  level: "high",
  title: "takes away the system's own protection against foreign programs",
  why: "The mark of quarantine, Gatekeeper, SmartScreen and the virus scanner stop programs that nobody has vouched for. Whoever asks to switch them off has a program that they would stop. Do not do it for a skill.",
  match: outsideSignatures(
    any(
      seen(/\bxattr\s{1,2}-[a-z]{0,4}[cd][a-z]{0,4}\b/, "xattr"),
      seen(/\bcom\.apple\.quarantine\b/, "quarantine"),
      seen(/\bspctl\b[^\n]{0,40}--(?:master|global)-disable\b|\bspctl --add\b|\bcsrutil disable\b/, "spctl", "csrutil"),
      seen(
        /\b(?:add|set)-mppreference\b[^\n]{0,120}-(?:exclusion\w{2,12}|disable\w{4,40}|puaprotection|maps\w{0,12})\b/,
        "mppreference",
      ),
      seen(
        /\b(?:sc|net)(?:\.exe)? (?:stop|config|delete) ["']?(?:windefend|wscsvc|sense|wdnissvc|mpssvc)\b|\bdisable(?:antispyware|realtimemonitoring)["']?\s{1,3}(?:\/t\s|\/d\s|-value\s|=\s?)?["']?(?:\$?true|1|reg_dword)\b/,
        "windefend",
        "wscsvc",
        "sense",
        "wdnissvc",
        "mpssvc",
        "disableantispyware",
        "disablerealtimemonitoring",
      ),
      seen(/\bunblock-file\b[^\n]{0,120}\.(?:exe|msi|dll|ps1|bat)\b|:zone\.identifier\b/, "unblock", "zone"),
      seen(
        /\b(?:setenforce 0|systemctl (?:stop|disable) (?:--now )?(?:apparmor|auditd|falcon-sensor|clamav\S{0,12}|osqueryd|crowdsec|fail2ban))\b/,
        "setenforce",
        "systemctl",
      ),
    ),
  ),
  hostile: [
    "```bash\nxattr -d com.apple.quarantine ./helper && ./helper\n```\n",
    "```bash\nsudo spctl --master-disable\n```\n",
    '```powershell\nAdd-MpPreference -ExclusionPath "$env:APPDATA\\helper"\n```\n',
    "```bash\nxattr -cr /Applications/Helper.app\n```\n",
    "```powershell\nSet-MpPreference -DisableRealtimeMonitoring $true\n```\n",
  ],
  benign: [
    "```yaml\ndetection:\n  selection:\n    CommandLine|contains:\n      - 'Add-MpPreference -ExclusionPath'\n  condition: selection\n```\n",
    "```powershell\nGet-MpPreference | Select-Object ExclusionPath, DisableRealtimeMonitoring\n```\n",
    "```bash\nxattr -l notes.txt\n```\n",
    "Run `spctl --assess --verbose ./App.app` to see whether the app is notarised.\n",
    "```powershell\nGet-MpPreference | Select-Object ExclusionPath\n```\n",
  ],
};
