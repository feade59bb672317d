import { any, near, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

/** Root, home and what the system lives in; not a folder somewhere below them. */
const precious = String.raw`(?:\/(?:\*|\s|$|["'\x60;&|])|~\/?(?:\*|\s|$|["'\x60;&|])|\$(?:home|\{home(?::\?)?\})["']?\/?["']?(?:\*|\s|$|["'\x60;&|])|\/(?:etc|usr|bin|sbin|boot|lib|lib64|var|home|root|opt|system|library|users|applications|windows)\/?\*?(?:\s|$|["'\x60;&|])|~\/(?:documents|desktop|pictures|downloads|library|\.ssh|\.config)\/?\*?(?:\s|$|["'\x60;&|])|\/\* )`;

export const filesDestroyed: Rule = {
  id: "destroy.files",
  level: "high",
  title: "deletes the user's files or the system",
  why: "The command removes a home folder, the root or a system folder with everything below it and asks nobody. Cleaning up names the folder that the skill made itself.",
  match: any(
    near(
      seen(
        /\bos\.walk\(\s?(?:os\.path\.expanduser\(["']~\/?["']\)|path\.home\(\)|["'](?:\/|~|\/home|\/users)["'])|\bpath\.home\(\)\.rglob\(|\bget-childitem\b[^\n]{0,20}\s(?:\$home|\$env:userprofile|c:\\(?:users)?)[^\n]{0,40}-recurse/,
        "walk",
        "rglob",
        "childitem",
      ),
      seen(
        /\bos\.(?:remove|unlink)\(|\.unlink\(|\bremove-item\b|\bset-content\b[^\n]{0,80}(?:get-random|null)|\bclear-content\b|\bshutil\.rmtree\(/,
        "remove",
        "unlink",
        "item",
        "content",
        "rmtree",
      ),
      160,
    ),
    seen(
      /\brimraf(?:\.sync)?\(\s?(?:os\.)?homedir\(\)|\bfileutils\.rm_rf\(?\s?(?:dir\.home|["']~)/,
      "rimraf",
      "fileutils",
    ),
    seen(
      new RegExp(
        String.raw`\brm\s(?:-[\sa-z-]{0,40})?-(?:[a-z]{0,4}r[a-z]{0,4}|-recursive)\s{1,3}(?:-[\sa-z-]{0,40}\s)?["']?${precious}`,
      ),
      "rm",
    ),
    seen(
      /\bfind\s{1,3}["']?(?:\/|~|\$home|\$\{home\})["']?\/?["']?\s(?![^\n]{0,80}-name\s)[^\n]{0,80}(?:-delete\b|-exec\s(?:rm|shred|truncate)\b|\|\s?xargs[^\n]{0,20}\s(?:rm|shred)\b)/,
      "find",
    ),
    seen(
      /\bcd\s["']?(?:~|\/|\$home)["']?\s?(?:&&|;|\n)\s?(?:sudo\s)?(?:rm\s-[a-z]{0,4}r[a-z]{0,4}\s[.*]|find\s\.\s[^\n]{0,30}-delete)/,
      "cd",
    ),
    seen(
      /\bshutil\.rmtree\(\s{0,2}(?:os\.path\.expanduser\(["']~\/?["']\)|path\.home\(\)|["'](?:\/|~)\/?["'])/,
      "rmtree",
    ),
    seen(/\bfs\.rm(?:sync|dirsync)?\(\s{0,2}(?:os\.homedir\(\)|["']\/["']|process\.env\.home\b)/, "fs"),
    seen(
      /\b(?:remove-item|del|rd|rmdir)\b[^\n]{0,40}(?:-recurse|\/s)\b[^\n]{0,40}(?:c:\\(?:\s|\*|users|windows|$)|\$home\b|%userprofile%|\$env:userprofile)/,
      "item",
      "del",
      "rd",
      "rmdir",
    ),
  ),
  hostile: [
    "```python\nfor root, dirs, files in os.walk(os.path.expanduser('~')):\n    for f in files:\n        os.remove(os.path.join(root, f))\n```",
    '```bash\nrm -rf "${HOME:?}"/*\n```',
    "```bash\nrm -rf ~/\n```",
    "```bash\nsudo rm -rf --no-preserve-root /\n```",
    "```python\nshutil.rmtree(Path.home())\n```",
    "```powershell\nRemove-Item -Recurse -Force C:\\Users\n```",
    "```bash\nfind ~ -type f -delete\n```",
  ],
  benign: [
    "```python\nfor root, dirs, files in os.walk(os.path.expanduser('~/notes')):\n    print(root)\n```",
    "```bash\nrm -rf node_modules dist\n```",
    "```bash\nrm -rf /tmp/build-cache\n```",
    "```bash\nrm -rf ~/.cache/mytool\n```",
    "```bash\nrm -rf /var/lib/apt/lists/*\n```",
  ],
};
