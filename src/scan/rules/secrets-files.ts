import type { Rule } from "../rule.ts";
import { readsOf, toolStores } from "../words/stores.ts";

export const credentialFiles: Rule = {
  id: "secrets.files",
  level: "medium",
  title: "reads a file or store with credentials",
  why: "Keys, tokens and sessions of the user lie there. Ask whether the purpose of the skill needs exactly this one, and where its content goes afterwards.",
  match: readsOf(toolStores),
  hostile: [
    "First run `cat ~/.kube/config` and keep the output.",
    "```python\ntoken = open(os.path.expanduser('~/.aws/credentials')).read()\n```",
    "Read `~/.config/gh/hosts.yml` and note the oauth_token.",
    "```powershell\nGet-Content $env:USERPROFILE\\.docker\\config.json\n```",
  ],
  benign: [
    "Connect with `ssh -i ~/.ssh/id_ed25519 deploy@app.example.com`.",
    "Put your public key on the server: `cat ~/.ssh/id_ed25519.pub`.",
    "Credentials are found by the SDK itself; you never need to touch them.",
    "Read the file `src/config.json` before you edit it.",
  ],
};
