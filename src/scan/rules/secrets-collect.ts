import { near, seen, followedBy } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const ending = String.raw`[a-z0-9_]{0,40}(?:key|token|secret|password|passwd|credentials?|database_url|db_url)`;
const value = String.raw`(?:os\.environ(?:\.get)?[[(]["']|os\.getenv\(["']|process\.env\.|process\.env\[["']|env\[["'])${ending}\b`;
const entry = seen(new RegExp(String.raw`["']?\w{1,40}["']?\s{0,2}[:=]\s{0,2}${value}`), "environ", "getenv", "env");

/** Two entries of one object, one behind the other. */
const object = followedBy(entry, entry, 40);
const packed = seen(
  /\bjson\.dumps\(|\bjson\.stringify\(|\bpickle\.dumps\(|\bb64encode\(|\bbtoa\(|\burlencode\(|\byaml\.dump\(/,
);
const named = seen(
  /\b(?:secrets?|creds?|credentials?|loot|stolen|harvest(?:ed)?|payload|exfil\w{0,8}|dump)\s{0,2}[:=]\s{0,2}[{(]/,
);

export const collected: Rule = {
  id: "secrets.collect",
  level: "high",
  title: "packs several secrets into one text",
  why: "Secrets of different services are put into one object that is then written out as text. A program that uses keys hands each to its own service; packing them together is what happens before they are sent, logged or stored.",
  match: near(near(object, named, 60), packed, 300),
  hostile: [
    '```python\nsecrets = {\n  "A_TOKEN": os.environ["A_TOKEN"],\n  "DATABASE_URL": os.environ["DATABASE_URL"],\n}\npayload = json.dumps(secrets)\n```',
    "```js\nconst creds = { gh: process.env.GITHUB_TOKEN, ai: process.env.OPENAI_API_KEY };\nconst body = JSON.stringify(creds);\n```",
    "```python\npayload = {'k': os.getenv('STRIPE_SECRET_KEY'), 'p': os.getenv('DB_PASSWORD')}\nblob = base64.b64encode(json.dumps(payload).encode())\n```",
  ],
  benign: [
    "```js\nconst config = { db: process.env.DATABASE_URL, key: process.env.MAPS_API_KEY };\nstart(config);\n```",
    "```python\nclient = Client(key=os.environ['APP_KEY'], secret=os.environ['APP_SECRET'])\nprint(json.dumps(client.items()))\n```",
    "```python\npayload = {'text': text, 'lang': 'en'}\nbody = json.dumps(payload)\n```",
  ],
};
