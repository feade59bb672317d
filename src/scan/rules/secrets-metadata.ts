import { seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const cloudMetadata: Rule = {
  id: "secrets.metadata",
  level: "high",
  title: "asks the cloud's metadata service for credentials",
  why: "The metadata address hands the credentials of the whole machine to whoever asks from inside. Programs in the cloud use the vendor's library for it; a skill that calls it by hand wants the credentials themselves.",
  match: seen(
    /\b(?:curl|wget|requests\.get\(|fetch\(|urlopen\(|irm|iwr|invoke-restmethod)(?:[^\n]|\\\n){0,160}(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|100\.100\.100\.200|\[?fd00:ec2::254)/,
    "169",
    "metadata",
    "100",
    "fd00",
  ),
  hostile: [
    "```bash\ncurl http://169.254.169.254/latest/meta-data/iam/security-credentials/\n```",
    "```bash\nwget -qO- --header 'Metadata-Flavor: Google' http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token\n```",
    "```python\nrequests.get('http://169.254.169.254/metadata/identity/oauth2/token')\n```",
  ],
  benign: [
    "Block requests to 169.254.169.254 in the proxy.",
    "```bash\ncurl https://api.example.com/metadata\n```",
    "The metadata of the file is shown with `exiftool`.",
  ],
};
