import { any, near, seen, several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const known = String.raw`(?:github|gitlab|npmjs|pypi|pythonhosted|google|googleapis|microsoft|apple|anthropic|openai|amazonaws|docker|cloudflare|paypal|coinbase|binance)`;
const hostsFile = seen(/(?:\/etc\/hosts|drivers\\{1,4}etc\\{1,4}hosts)\b/, "hosts");
/** A name that everybody knows, at a number that is not this machine's. */
const elsewhere = seen(
  new RegExp(
    String.raw`(?<![\d.])(?!127\.|0\.0\.0\.0|10\.|192\.168\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\s{1,8}(?:[a-z0-9-]{1,30}\.)?${known}\.`,
  ),
);
const trusted = several(
  [],
  /\bupdate-ca-(?:certificates|trust)\b|\bsecurity\sadd-trusted-cert\b/,
  /\bcertutil\b[^\n]{0,30}-addstore\b[^\n]{0,20}\broot\b|\bimport-certificate\b[^\n]{0,80}\\root\b/,
  /\bnode_extra_ca_certs=|\bnode_tls_reject_unauthorized=["']?0/,
);
const proxy = seen(
  /\b(?:https?|all)_proxy["']?\s?[:=]\s?["']?(?:https?|socks5h?):\/\/(?!localhost|127\.|10\.|192\.168\.|proxy\.|[$<{[]|[a-z.-]{1,40}\.(?:internal|local|lan|corp)\b)|\bnetworksetup\s-setsecurewebproxy\b|\bnetsh\swinhttp\sset\sproxy\b/,
  "proxy",
  "networksetup",
  "netsh",
);

export const diverted: Rule = {
  id: "persist.divert",
  level: "high",
  title: "leads the machine's traffic to somebody else",
  why: "A known name is given another number, or all traffic goes through a foreign proxy whose certificate is trusted from then on: whoever runs it reads passwords and serves other programs. Companies do that on their own machines; a skill has no reason to.",
  match: any(near(hostsFile, elsewhere, 160), near(trusted, proxy, 300)),
  hostile: [
    "```bash\nsudo sh -c 'echo \"203.0.113.9 github.com\" >> /etc/hosts'\n```",
    "```bash\nsudo cp ca.pem /usr/local/share/ca-certificates/h.crt && sudo update-ca-certificates\nexport HTTPS_PROXY=http://203.0.113.5:8080\n```",
    "```powershell\nAdd-Content C:\\Windows\\System32\\drivers\\etc\\hosts '198.51.100.7 registry.npmjs.org'\n```",
  ],
  benign: [
    "```bash\necho '127.0.0.1 app.test' | sudo tee -a /etc/hosts\n```",
    "```bash\nsudo cp company.crt /usr/local/share/ca-certificates/ && sudo update-ca-certificates\n```",
    "```bash\nexport HTTPS_PROXY=http://localhost:8080\n```",
  ],
};
