import { any, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const tracesWiped: Rule = {
  id: "destroy.traces",
  level: "high",
  title: "wipes logs or the history of the shell",
  why: "Logs and history are what an investigation starts from. Deleting them is called cleaning up, but rotation exists for that; here somebody wants not to be seen.",
  match: any(
    seen(
      /\bhistory\s{1,3}-c\b|\bunset\s{1,3}histfile\b|\bhistfile=\/dev\/null|\bhistsize=0\b|\bset\s{1,3}\+o\s{1,3}history\b/,
      "history",
      "histfile",
      "histsize",
    ),
    seen(
      /(?:\b(?:rm|shred|truncate)\b[^\n]{0,30}|>\s{0,2}|\bln\s-sf?\s\/dev\/null\s)[~$"'\w/{}]{0,30}\.?(?:bash|zsh|python|node_repl)_history\b/,
      "history",
    ),
    seen(/\b(?:rm|shred)\s[^\n;&|]{0,120}[\s"']\/var\/log\b(?!\/(?:apt|dpkg|yum)\b)/, "rm", "shred"),
    seen(
      /(?<!>)>\s{0,2}\/var\/log\/(?:auth|secure|syslog|messages|wtmp|btmp|lastlog|audit)|\btruncate\b[^\n]{0,20}\/var\/log\/(?:auth|secure|syslog|messages|wtmp|btmp|lastlog|audit)/,
      "log",
    ),
    seen(
      /\bwevtutil(?:\.exe)?\s{1,3}cl\b|\b(?:clear|remove)-eventlog\b|\blog\s{1,3}erase\s{1,3}--all\b|\bauditctl\s{1,3}-(?:d|e\s0)\b/,
      "wevtutil",
      "eventlog",
      "log",
      "auditctl",
    ),
  ),
  hostile: [
    "```bash\nhistory -c && rm -f ~/.bash_history\n```",
    "```bash\nrm -rf /tmp/.w/* /var/log/app/*\n```",
    "```powershell\nwevtutil cl Security\n```",
    "```bash\nexport HISTFILE=/dev/null\n```",
  ],
  benign: [
    "```bash\ntail -f /var/log/syslog\n```",
    "```bash\nsudo journalctl --vacuum-time=7d\n```",
    "```bash\ngit log --oneline\nrm -rf logs/\n```",
  ],
};
