import { any, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const systemPassword: Rule = {
  id: "lure.password",
  level: "high",
  title: "takes the password of the computer into its own hands",
  why: "With it a program becomes the administrator, opens the keychain and stays. No skill needs to see it: the system asks for it itself when it is needed. Do not type it, and do not put it into a command.",
  match: any(
    seen(/\bdisplay dialog\b[^\n]{0,200}\b(?:with )?hidden answer\b/, "dialog"),
    seen(/\bdscl\b[^\n]{0,20}\bauthonly\b|\bsecurity unlock-keychain -p\b/, "dscl", "security"),
    seen(/\becho\b[^\n|]{0,60}(?:pass\w{0,6}|pw|secret)[^\n|]{0,20}\|\s{0,3}sudo -[a-z]{0,3}s\b/, "sudo"),
    seen(/\bdo shell script\b[^\n]{0,200}\bwith administrator privileges\b/, "administrator"),
  ),
  hostile: [
    '```applescript\ndisplay dialog "The system needs your password" default answer "" with hidden answer\n```\n',
    '```applescript\ndo shell script "installer -pkg /tmp/a.pkg -target /" with administrator privileges\n```\n',
    '```bash\necho "$USER_PASSWORD" | sudo -S ./helper --install\n```\n',
  ],
  benign: [
    "Enter the password of the database in the `.env` file.\n",
    "The form has a field for the user name and one for the password.\n",
    "```bash\nsudo apt install jq\n```\n",
  ],
};
