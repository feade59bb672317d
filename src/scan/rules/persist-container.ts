import { several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const openContainer: Rule = {
  id: "persist.container",
  level: "medium",
  title: "starts a container that owns its host",
  why: "A privileged container, one with the root of the host or with Docker's socket inside, can do whatever root can. Ask why the task needs it; most need a folder.",
  match: several(
    ["docker", "nsenter", "privileged"],
    /\bdocker\b[^\n]{0,160}(?:--privileged\b|-v\s\/:\/|--volume[=\s]\/:\/|\/var\/run\/docker\.sock|--pid[=\s]host|--cap-add[=\s](?:all|sys_admin))/,
    /\bnsenter\b[^\n]{0,40}-t\s1\b|\bprivileged:\strue\b/,
  ),
  hostile: [
    "```bash\ndocker run --privileged -it alpine sh\n```",
    "```bash\ndocker run -v /:/host alpine chroot /host\n```",
    "```bash\ndocker run -v /var/run/docker.sock:/var/run/docker.sock tool\n```",
  ],
  benign: [
    '```bash\ndocker run --rm -v "$PWD":/app -w /app node:20 npm test\n```',
    "```bash\ndocker compose up -d\n```",
    "Docker needs no special privileges here.",
  ],
};
