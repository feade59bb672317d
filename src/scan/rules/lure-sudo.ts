import { near, several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const passwordPrompt: Rule = {
  id: "lure.sudo",
  level: "medium",
  title: "tells a person to type the computer's password when asked",
  why: "Ordinary manuals say so for the system's own prompt, and lures say so for what they have just fetched. Look at which program asks, and where that program came from.",
  match: near(
    several(
      "password passcode",
      /\b(?:enter|type|provide|input)\s(?:in\s)?(?:your|the)?\s?(?:mac|macos|login|admin|administrator|system|computer|sudo|user|windows)(?:['’]s)?\s(?:account\s)?pass(?:word|code)\b/,
    ),
    several("", /\b(?:terminal|prompted|installer|curl|bash|command|helper|agent|setup|asked)\b/),
    200,
  ),
  hostile: [
    "The installer runs in Terminal; enter your Mac password when prompted and press Return.\n",
    "When the command asks, type your admin password (nothing is shown while you type).\n",
    "Setup: provide the system password so that the helper can finish.\n",
  ],
  benign: [
    "Enter the password of the database in the `.env` file.\n",
    "The form has a field for the user name and one for the password.\n",
    "Never ask for the user's password.\n",
  ],
};
