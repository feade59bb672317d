import { any, near, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const open = seen(/\bchmod\s{1,3}(?:-[a-z\s-]{1,8}\s)?(?:0?777|a\+rwx|ugo\+rwx)\b/, "chmod");
const systemWide = seen(
  /\bch(?:mod|own)\s{1,3}(?:-[a-z]{0,3}r[a-z]{0,3}|--recursive)\s{1,3}[\w+:.-]{1,24}\s{1,3}["']?(?:\/|\/(?:etc|usr|bin|sbin|lib|var|home|root|opt|boot)\/?|~\/?|\$home\/?)["']?(?:\s|$|[;&|`])/,
  "chmod",
  "chown",
);
const toRoot = seen(/\bchown\s{1,3}(?:-[a-z\s-]{1,8}\s)?(?:root|0)(?::|\b)/, "chown");
const hiddenPlace = seen(
  /\bchmod\s{1,3}(?:-[a-z\s-]{1,8}\s)?(?:0?777|a\+rwx)\s{1,3}["']?(?:\/tmp|\/var\/tmp|\/dev\/shm)\/\./,
  "chmod",
);

export const permissionsOpened: Rule = {
  id: "destroy.permissions",
  level: "high",
  title: "opens files to everybody or takes them from their owner",
  why: "World-writable files that belong to root can be replaced by any program on the machine and are trusted afterwards; changing the rights of system folders breaks it for good. A shared folder needs a group, not this.",
  match: any(near(open, toRoot, 160), systemWide, hiddenPlace),
  hostile: [
    "```bash\nchmod 777 /srv/shared && sudo chown root:root /srv/shared\n```",
    "```bash\nsudo chmod -R 777 /etc\n```",
    "```bash\nsudo chown -R nobody /\n```",
    "```bash\nchmod 777 /tmp/.work\n```",
  ],
  benign: [
    "```bash\nchmod +x scripts/run.sh\n```",
    "```bash\nsudo chown -R $USER:$USER ~/project\n```",
    "```bash\nsudo chown root:root /etc/myapp.conf && chmod 644 /etc/myapp.conf\n```",
  ],
};
