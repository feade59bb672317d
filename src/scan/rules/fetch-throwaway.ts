import { dynamicHosts, fileHosts, isDynamic, isFileHost, isShortened, shorteners } from "../words/addresses.ts";
import { addressesOf } from "../words/fetching.ts";
import { any, near, seen, several, where } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const throwawaySource: Rule = {
  id: "fetch.throwaway",
  level: "high",
  title: "downloads from a shortened, shared or throw-away address",
  why: "A short link hides where it leads, a free file host and a tunnel belong to nobody who can be asked, and all of them can serve something else tomorrow. Ask for the program's own site and a checksum.",
  match: near(
    where(seen(/\bhttps?:\/\/[a-z0-9.-]{4,80}(?::\d{2,5})?\/[^\s"'\x60<>)]{1,200}/, "http", "https"), (text, hit) =>
      addressesOf(text, hit).some((address) => isShortened(address) || isFileHost(address) || isDynamic(address)),
    ),
    any(
      several(
        "",
        /\b(?:wget|iwr|invoke-webrequest|urlretrieve|unzip|chmod)\b|\bgit\sclone\b|\b(?:pip3?|npm)\sinstall\b/,
        /\bdownload\s(?:and|the|from|our|this|it|here|link|\[)/,
        /\b(?:run|install)\s(?:it|the\s(?:file|installer|executable))\b|\binstall(?:ed)?\sfrom\b/,
      ),
      seen(/\bcurl\b[^\n]{0,80}\s(?:-[a-z]{0,6}o\b|--output\b|>)/, "curl"),
    ),
    160,
  ),
  hostile: [
    `Download the helper from https://${shorteners[0]}/get-helper and start it.\n`,
    `\`\`\`bash\nwget https://${fileHosts[0]}/a1b2c3/agent\nchmod +x agent\n\`\`\`\n`,
    `\`\`\`bash\ncurl -o tool https://my-box.${dynamicHosts[0]}/tool\n\`\`\`\n`,
  ],
  benign: [
    "Shorten the link before you post it; the service is free.\n",
    "```bash\nngrok http 8013\n```\n",
    "```bash\nwget https://releases.example.com/tool-1.2.0.tar.gz\n```\n",
  ],
};
