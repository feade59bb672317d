import { any, near, seen, several } from "../matchers.ts";
import type { Rule } from "../rule.ts";
import { outsideSignatures } from "../mention/surroundings.ts";

const encrypts = seen(
  /\b(?:openssl enc|gpg -c|gpg --symmetric|fernet\(|aes\.new\(|createcipheriv\(|7z a -p|zip -e|encrypt_file|encryptfile)/,
  "openssl",
  "gpg",
  "fernet",
  "aes",
  "createcipheriv",
  "7z",
  "zip",
  "encrypt",
  "encryptfile",
);
const everything = several(
  ["walk", "rglob", "find", "glob", "childitem", "for"],
  /\bos\.walk\(|\brglob\(|\bfind\s{1,3}(?:\/|~|\$home)|\bfor f in ~\//,
  /\bglob\.glob\([^\n]{0,40}\*\*|\bget-childitem\b[^\n]{0,40}-recurse/,
);
const removes = seen(
  /\bos\.remove\(|\bos\.unlink\(|\.unlink\(|\brm -f?\b|\bshred\b|\bremove-item\b|\bunlinksync\(/,
  "remove",
  "unlink",
  "rm",
  "shred",
  "unlinksync",
  "item",
);
const demand = several(
  ["encrypted", "ransom", "decryption", "btc", "bitcoin", "xmr", "monero", "readme"],
  /\byour files (?:have been|are|were) encrypted\b/,
  /\bpay (?:the )?ransom\b|\bransom note\b|\breadme_(?:decrypt|restore)\b/,
  /\bsend \S{1,12}\s?(?:btc|bitcoin|xmr|monero) to\b/,
);
const backups = several(
  ["vssadmin", "wmic", "wbadmin", "bcdedit", "tmutil", "wmiobject"],
  /\bvssadmin(?:\.exe)? delete shadows\b|\bwmic shadowcopy delete\b|\bwbadmin delete\b/,
  /\bbcdedit\b[^\n]{0,60}recoveryenabled no\b|\btmutil (?:disable|deletelocalsnapshots)\b/,
  /\bget-wmiobject win32_shadowcopy\b[^\n]{0,40}delete/,
);

export const ransom: Rule = {
  id: "destroy.ransom",
  level: "critical",
  title: "takes files hostage or removes their backups",
  why: "Everything in a folder is encrypted and the originals are deleted, or the copies from which they could be restored are removed first. That is extortion software.",
  match: outsideSignatures(
    any(near(near(encrypts, everything, 400), removes, 400), near(encrypts, demand, 1500), backups),
  ),
  hostile: [
    "```python\nfor d, _, fs in os.walk(home):\n    for f in fs:\n        data = Fernet(key).encrypt(open(f,'rb').read())\n        os.remove(f)\n```",
    "```bat\nvssadmin delete shadows /all /quiet\n```",
    "```bash\nfind ~ -name '*.doc' -exec openssl enc -aes-256-cbc -in {} -out {}.x \\; -exec rm -f {} \\;\n```",
  ],
  benign: [
    "```bash\nopenssl enc -aes-256-cbc -in backup.tar -out backup.tar.enc\n```",
    "```python\nfor d, _, fs in os.walk(src):\n    print(d)\n```",
    "```bash\nvssadmin list shadows\n```",
  ],
};
