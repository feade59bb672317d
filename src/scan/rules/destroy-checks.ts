import { several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const checksOff: Rule = {
  id: "destroy.checks",
  level: "medium",
  title: "switches off the check of certificates or signatures",
  why: "Without that check anybody on the way can answer instead of the host. Add the missing certificate instead.",
  match: several(
    [],
    /\bnode_tls_reject_unauthorized\s{0,2}=\s{0,2}["']?0|\bgit_ssl_no_verify=|\bhttp\.sslverify["'=\s]{1,3}false|\bstrict-ssl[=\s]{1,2}false/,
    /\s--(?:trusted-host|no-gpg-check|allow-unauthenticated|no-check-certificate)\b/,
    /\bverify\s?=\s?false\b|\bcert_none\b|\bservercertificatevalidationcallback\b|\bstricthostkeychecking[=\s]no\b/,
    /\bapt-get (?:purge|remove)\b[^\n]{0,80}(?:\\\n)?[^\n]{0,80}\b(?:ca-certificates|gnupg)\b/,
    /\bskip (?:signature|checksum|certificate) (?:verification|validation|checks?)\b/,
  ),
  hostile: [
    "```bash\nexport NODE_TLS_REJECT_UNAUTHORIZED=0\n```",
    "```bash\npip install --trusted-host pkgs.example.net tool\n```",
    "```python\nrequests.get(url, verify=False)\n```",
  ],
  benign: [
    "```python\nrequests.get(url, verify='/etc/ssl/company.pem')\n```",
    "```bash\ncurl --cacert company.pem https://git.example.com\n```",
    "Verify the signature before you install.",
  ],
};
