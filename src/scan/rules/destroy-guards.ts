import { any, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const services = String.raw`(?:firewalld|ufw|auditd|apparmor|clamav|falcon|fail2ban|rsyslog|crowdsec|osqueryd|wazuh)`;
const firewall = any(
  seen(
    /\bufw disable\b|\biptables\s{1,3}-f\b|\bsetenforce\s{1,3}0\b|\bselinux=disabled\b|\bpfctl\s{1,3}-d\b/,
    "ufw",
    "iptables",
    "setenforce",
    "selinux",
    "pfctl",
  ),
  seen(new RegExp(String.raw`\bsystemctl\s{1,3}(?:stop|disable|mask)\s{1,3}(?:--now\s{1,3})?${services}`), "systemctl"),
  seen(/\bnetsh advfirewall\b[^\n]{0,30}\boff\b/, "netsh"),
  seen(/\bset-netfirewallprofile\b[^\n]{0,60}-enabled\s{1,3}false/, "netfirewallprofile"),
);
const killed = seen(
  /\b(?:pkill|killall|taskkill)\b[^\n]{0,40}\b(?:falcon|crowdstrike|sentinel|clamd?\b|defender|msmpeng|osqueryd|wazuh|auditd|little\s?snitch|cbagentd|sophos|xprotect)/,
  "pkill",
  "killall",
  "taskkill",
);

export const guardsDown: Rule = {
  id: "destroy.guards",
  level: "high",
  title: "switches off what protects the machine",
  why: "Firewall, audit log or virus scanner are stopped. A task that is blocked by them needs one exception that somebody has agreed to, not an open machine.",
  match: any(firewall, killed),
  hostile: [
    "```bash\nsudo ufw disable && sudo setenforce 0\n```",
    "```bat\nnetsh advfirewall set allprofiles state off\n```",
    "```bash\nsudo systemctl stop auditd\nsudo pkill -9 falcon-sensor\n```",
  ],
  benign: [
    "```bash\nsudo ufw allow 443/tcp\n```",
    "```bash\nsystemctl status firewalld\n```",
    "```bash\npkill -f vite\n```",
  ],
};
