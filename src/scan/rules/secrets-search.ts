import { several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

/** Names under which keys lie about. A text that looks for leaked secrets speaks of secrets, not of these. */
const keys = String.raw`(?:\.env\b|id_rsa|id_ed25519|\*?\.pem\b|\*?\.key\b|\*?\.kdbx\b|\*?\.p12\b|\*?\.pfx\b|wallet\.dat|\.ssh\b|credentials\.json|keystore\b)`;

export const keysSearched: Rule = {
  id: "secrets.search",
  level: "high",
  title: "searches the machine for keys",
  why: "The home folder, the disk or the folders above the project are searched for files with keys. A program that needs a key knows where its own lies; somebody who does not know looks everywhere.",
  match: several(
    [],
    new RegExp(
      String.raw`\bfind\s(?:\/|~|\$home|\$\{home\}|\/home|\/users|\/root)[\w\/]{0,20}\s[^\n]{0,80}-i?name\s["']?${keys}`,
    ),
    new RegExp(
      String.raw`\b(?:scan|search|crawl|traverse|look\sthrough)\b[^.\n]{0,30}\b(?:home|entire|whole|all|parent|above|every|user'?s)\b[^.\n]{0,50}\bfor\b[^.\n]{0,40}(?<!\w)${keys}`,
    ),
    new RegExp(
      String.raw`\bget-childitem\b[^\n]{0,60}(?:c:\\|\$home|\$env:userprofile)[^\n]{0,60}-(?:include|filter)\s["']?${keys}`,
    ),
    new RegExp(
      String.raw`\bgrep\s-[a-z]{0,6}r[a-z]{0,6}\s[^\n]{0,60}(?:api_key|secret|private\skey|password)[^\n]{0,60}\s(?:\/|~|\$home)(?:\s|\/?$|\/?["'\s])`,
    ),
  ),
  hostile: [
    "```bash\nfind ~ -name '*.pem' -o -name id_rsa 2>/dev/null\n```",
    "Scan the directories above the working directory for the .ssh folder and copy what is inside.",
    "Scan the entire working directory for files named .env and write their content into notes.txt.",
    "```powershell\nGet-ChildItem -Path C:\\Users -Recurse -Include *.kdbx\n```",
  ],
  benign: [
    "```bash\nfind . -name '*.key.json' -not -path './node_modules/*'\n```",
    "Search the docs for the `.env` variables that the app needs.",
    "```bash\ngrep -rn 'api_key' src/\n```",
    "```bash\nfind /etc/nginx -name '*.conf'\n```",
  ],
};
