import { any, near, seen, several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const terminal = String.raw`\b(?:terminal|command\sprompt|cmd|power\s?shell|run\s(?:dialog|box|window)|konsole|iterm2?|spotlight|(?:your|a|the)\s(?:shell|console|command\sline))\b`;
const words = "terminal command cmd powershell power run konsole iterm iterm2 spotlight shell console";

/** Another page, as a place to go to: not a link beside the text. */
const elsewhere = several(
  "http https",
  /\b(?:visit|open|go\sto|navigate\sto|head\sto|browse\sto|see|from|at|check)\s(?:the|this|our)?\s?\[[^\]\n]{1,60}\]\(https?:/,
  /\b(?:visit|open|go\sto|navigate\sto|head\sto|browse\sto|follow|from)\s(?:the|this|our)?\s?(?:following\s)?(?:page|link|site|website|address|url)?\s?[:(]?\s?https?:/,
);
/** The thing itself, with at most two words before it: not "copy the token into the command". */
const command = String.raw`(?:\s(?:the|this|that|its|their))?(?:\s[\w-]{1,16})?(?:\s[\w-]{1,16})?\s(?:command|script|snippet|code|line|one-?liner|text)\b`;
const pastes = several(
  words,
  String.raw`\b(?:copy|paste|run|execute|enter|type|launch|issue|carry\sout|use)${command}[^\n]{0,60}${terminal}`,
);
const copies = several(
  words,
  String.raw`\b(?:copy|paste)${command}[^\n]{0,60}${terminal}`,
  String.raw`\bcopy\sand\s(?:paste|run|execute)\b[^\n]{0,60}${terminal}`,
  String.raw`\bpaste\s(?:it|this|that)\b[^\n]{0,30}${terminal}`,
);
/** The keys that open the Run dialogue or the power menu of Windows. */
const runKeys = several(
  "win windows run",
  /\b(?:win|windows|windows\skey|win\skey)\s?\+\s?[rx]\b/,
  /\bopen\sthe\srun\sdialog\b/,
);
const piped = several(
  "sh bash zsh iex base64 curl",
  /\|\s{0,3}(?:sudo\s)?(?:ba|z)?sh\b/,
  /\biex\b|\bbase64\s(?:-d|--decode)\b/,
  /\bcurl\b[^\n]{0,60}\bhttp:/,
);

export const pasteCommand: Rule = {
  id: "lure.paste-command",
  level: "critical",
  title: "sends a person to another page for a command to paste into a terminal",
  why: "What stands on that page is not part of the skill and can be changed at any time; the person becomes the one who runs it, past every check. It is the commonest way in which skills have spread malware. Commands that a skill needs stand in the skill.",
  match: any(
    near(elsewhere, pastes, 160),
    near(runKeys, seen(/\bpaste\b|\bctrl\s?\+\s?v\b/, "paste", "ctrl"), 300),
    near(copies, piped, 400),
  ),
  hostile: [
    "**macOS**: visit [this page](https://notes.example.com/x1), copy the installation command and paste it into Terminal.\n",
    "Open [the setup link](https://setup.example.org/mac) and execute the installation command in Terminal before proceeding.\n",
    "Press Windows + R, paste the copied text with Ctrl + V and press Enter to verify that you are human.\n",
    "Copy the command below and paste it into your terminal:\n\n```bash\necho 'aWQ7dW5hbWUgLWE=' | base64 -D | bash\n```\n",
    "Go to https://start.example.net, copy the code for your system and run it in PowerShell.\n",
    "On Linux follow https://bridge.example.site/install, copy the one-liner there and run it in your shell.\n",
  ],
  benign: [
    "Open https://app.example.com/settings, copy the token and paste it into the command: run it in a terminal.\n",
    "Run the command in your terminal and send me its output.\n",
    "See [the manual](https://docs.example.com/cli) for every option.\n",
    "Copy and paste the block into your `tsconfig.json`.\n",
    "Open Terminal and run `npm test`.\n",
  ],
};
