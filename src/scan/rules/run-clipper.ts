import { near, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const reads = seen(
  /\bpbpaste\b|\bpyperclip\.paste\(|\bget-clipboard\b|\bxclip\b[^\n|]{0,40}\s-o\b|\bxsel\s-[a-z]{0,3}o|\bwl-paste\b|\bclipboard\.(?:readtext|read|paste|gettext)\b|\bclipboardy\.read|\bclipboard_get\(|\bgetclipboarddata\(/,
  ..."pbpaste pyperclip clipboard xclip xsel wl clipboardy getclipboarddata".split(" "),
);
const writes = seen(
  /\bpbcopy\b|\bpyperclip\.copy\(|\bset-clipboard\b|\bxclip\b|\bxsel\s-[a-z]{0,3}i|\bwl-copy\b|\bclipboard\.(?:writetext|write|copy|settext)\b|\bclipboardy\.write|\bclipboard_append\(|\bsetclipboarddata\(/,
  ..."pbcopy pyperclip clipboard xclip xsel wl clipboardy setclipboarddata".split(" "),
);
/** The form of a wallet's address or an account, or its name. */
const accounts = seen(
  /0x\[[a-f0-9\\d-]{2,20}\]\{40\}|\bbc1|\[13\]|\[a-km-z|\{(?:25|26|27|32|33|34|40|43),?\d{0,2}\}|\b(?:wallet|bitcoin|btc|ethereum|usdt|iban|crypto)\b/,
);

export const clipper: Rule = {
  id: "run.clipper",
  level: "critical",
  title: "swaps the account number that the user copies",
  why: "The clipboard is read, and when it holds the address of a wallet or an account it is replaced by another one: the next payment goes to somebody else. It is malware without any other use. Refuse the skill.",
  match: near(near(reads, writes, 500), accounts, 400),
  hostile: [
    "```python\nBTC = re.compile(r'^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,39}$')\nwhile True:\n    if BTC.match(pyperclip.paste()):\n        pyperclip.copy(OURS)\n    time.sleep(0.4)\n```",
    "```bash\nwhile sleep 1; do pbpaste | grep -qE '^0x[a-fA-F0-9]{40}$' && printf %s \"$A\" | pbcopy; done &\n```",
    "```powershell\nwhile ($true) { $c = Get-Clipboard; if ($c -match '^T[A-Za-z1-9]{33}$') { Set-Clipboard $mine }; Start-Sleep 1 }\n```",
  ],
  benign: [
    "```bash\npbpaste | jq . | pbcopy\n```",
    "```python\ntext = pyperclip.paste()\npyperclip.copy(text.strip())\n```",
    'Copy the wallet address to the clipboard: `printf %s "$ADDRESS" | pbcopy`.',
  ],
};
