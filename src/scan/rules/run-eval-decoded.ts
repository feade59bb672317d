import { flows } from "../words/flows.ts";
import { any, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const words =
  "b64decode b32decode b85decode a85decode decodebytes atob base64 fromhex unhexlify decompress loads fromcharcode gzinflate rot13 decode64 decode unpack buffer bytes frombase64string".split(
    " ",
  );
const decoded = String.raw`(?:b(?:64|32|85)decode|a85decode|decodebytes|\batob|buffer\.from|bytes\.fromhex|unhexlify|zlib\.decompress|marshal\.loads|fromcharcode|gzinflate|base64_decode|decode_base64|rot13|decode64|frombase64string|bytes\(\[\d)`;
const runner = String.raw`(?:\bexec(?:sync|file|filesync|script)?|\beval|\bsystem|\bpopen|\bsubprocess\.(?:run|call|popen|check_call|check_output|getoutput)|\bspawn(?:sync)?|\bnew\sfunction|\bfunction|\bcompile|\bsettimeout|\bruninnewcontext|\biex|\binvoke-expression|\[scriptblock\]::create|\bassert|\bloadstring)`;

export const evalDecoded: Rule = {
  id: "run.eval-decoded",
  level: "critical",
  title: "runs code that it decodes first",
  why: "Code that is kept encoded and only becomes code while it runs cannot be reviewed, and is kept that way for this reason. Decode it and judge what it does; without a good reason, reject the skill.",
  match: any(
    seen(new RegExp(String.raw`${runner}(?:\s?\(|\s)[^\n;]{0,80}${decoded}\s?[(.]`), ...words),
    seen(
      /\b(?:python[23]?|node|perl|ruby|php) -[ecr] [^\n]{0,120}(?:b64decode|atob|decode64|base64_decode|decode_base64|fromhex|unhexlify)[^\n]{0,200}(?:exec|eval|system|popen|spawn|run)\b/,
      ...words,
    ),
    flows(
      [
        String.raw`\b(\w{1,40})\s{0,2}=\s{0,2}[^\n=]{0,80}${decoded}`,
        String.raw`\b(\w{1,40})\s{0,2}=\s{0,2}(?:"")?["']{2}\.join\((?:map\()?\s?chr\b`,
      ],
      [String.raw`${runner}\s?\(\s{0,4}(?:[\w.]{1,20}\()?(\w{1,40})\b`, String.raw`\$\((\w{1,40})\)\s?\|\s?(?:ba)?sh`],
      800,
      ...words,
      "chr",
    ),
  ),
  hostile: [
    '```python\nimport base64\nexec(base64.b64decode("cHJpbnQoMSk="))\n```\n',
    "```js\neval(atob('YWxlcnQoMSk='))\n```\n",
    "```python\nimport base64, subprocess\nstep = base64.b64decode(blob).decode()\nsubprocess.run(step, shell=True)\n```\n",
    "```js\nnew Function(Buffer.from(data, 'base64').toString())()\n```\n",
    "```python\nimport zlib\ncode = zlib.decompress(open('model.bin','rb').read())\nexec(code)\n```\n",
    "```powershell\niex ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($b)))\n```\n",
    "```python\nimport marshal, base64\nexec(marshal.loads(base64.b64decode(blob)))\n```\n",
    "```php\n<?php eval(gzinflate(base64_decode($x))); ?>\n```\n",
  ],
  benign: [
    '```python\nimport base64\nimage = base64.b64decode(reply["image"])\nopen("out.png", "wb").write(image)\n```\n',
    "```js\nconst token = JSON.parse(atob(jwt.split('.')[1]));\nconsole.log(token.exp);\n```\n",
    "```python\nraw = bytes.fromhex(value)\nsubprocess.run(['ls', '-l'])\n```\n",
  ],
};
