import { any, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const hiddenCode: Rule = {
  id: "run.hidden-code",
  level: "high",
  title: "runs code out of a hidden or temporary file, or one that is put together while it runs",
  why: "The code is not in the skill: something else writes it into a dotted or temporary file, or it is pieced together from strings so that no word of it can be found. Ask for it to be written out where it can be read.",
  match: any(
    seen(
      /\b(?:exec|eval|compile)\s?\([^\n]{0,40}\bopen\(\s?["'](?:\/tmp\/|\/var\/tmp\/|\/dev\/shm\/|[^"'\n]{0,60}\/\.)[^\n]{0,120}\.read\(\)/,
      "exec",
      "eval",
      "compile",
    ),
    seen(
      /(?:^|[\n;&|])\s{0,4}(?:sudo\s)?(?:(?:ba|z|da)?sh|python[23]?|node|perl|source|\.|nohup)\s(?:-[a-z]{1,6}\s)?["']?\/(?:tmp|var\/tmp|dev\/shm)\/\.[\w-]/,
      "tmp",
      "shm",
    ),
    seen(/(?:^|[\n;&|])\s{0,4}(?:sudo\s)?\/(?:tmp|var\/tmp|dev\/shm)\/\.[\w-]{1,40}/, "tmp", "shm"),
    seen(
      /\b__import__\(\s?["']\w{2,20}["']\s?\)\.(?:system|popen|call|run|check_output|b64decode|loads|dup2)\b/,
      "import",
    ),
    seen(
      /\bgetattr\(\s?(?:__builtins__|__import__\([^)\n]{2,20}\)|os|builtins)\s?,\s?["'\w+ [\]:-]{2,60}\)\s?\(/,
      "getattr",
    ),
    seen(/\bimportlib\b[^\n]{0,60}spec_from_file_location\([^\n]{0,80}["']\/(?:tmp|var\/tmp|dev\/shm)\//, "importlib"),
    seen(
      /\b(?:globalthis|window|global|this)\[\s?["'][^"'\n]{0,12}["']\s?\+\s?["'][^"'\n]{0,12}["']\s?\]\s?\(/,
      "globalthis",
      "window",
      "global",
      "this",
    ),
    seen(/\bset\s\w=[^\n&]{1,20}&\s?set\s\w=[^\n&]{1,20}&\s?(?:call\s)?%\w%%\w%/, "set"),
    seen(
      /\bkernel32\.(?:virtualalloc(?:ex)?|createthread|createremotethread|writeprocessmemory|rtlmovememory)\b|\bcreateremotethread\b|\bntcreatethreadex\b/,
      "kernel32",
      "createremotethread",
      "ntcreatethreadex",
    ),
    seen(/\$\{ifs\}|\$ifs\$\d/, "ifs"),
  ),
  hostile: [
    '```python\neval(compile(open("/tmp/.cache-9").read(), "<x>", "exec"))\n```\n',
    "```bash\nbash /tmp/.setup --quiet\n```\n",
    '```python\n__import__("os").system(step)\n```\n',
    "```python\ngetattr(os, 'sys' + 'tem')(step)\n```\n",
    "```bash\ncat${IFS}notes.txt\n```\n",
  ],
  benign: [
    "```bash\nbash scripts/setup.sh --quiet\n```\n",
    "```python\nexec(open('scripts/scene.py').read())\n```\n",
    "```bash\nrm -f /tmp/.lock-build\n```\n",
    "```python\nmodule = __import__('json')\nvalue = getattr(args, 'name')\n```\n",
  ],
};
