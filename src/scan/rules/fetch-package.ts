import { isForge, isNearby, isRegistry } from "../words/addresses.ts";
import { addressesOf } from "../words/fetching.ts";
import { any, seen, where } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const installs = any(
  seen(
    /\b(?:pip3?|uv\stool|pipx|poetry|conda)\s(?:install|add)\b[^\n|;]{0,120}?(?:git\+)?https?:\/\/[^\s"'\x60]{3,200}/,
    "pip",
    "pip3",
    "uv",
    "pipx",
    "poetry",
    "conda",
  ),
  seen(/\bpip3? install\b[^\n]{0,20}\\\n[^\n]{0,40}(?:git\+)?https?:\/\/[^\s"'\x60]{3,200}/, "pip", "pip3"),
  seen(
    /\b(?:npm|pnpm|yarn|bun|npx|bunx|pnpx) (?:i|install|add|dlx|exec|-y|--yes)?\s?(?:-[a-z-]{1,12}\s)?["']?(?:git\+)?https?:\/\/[^\s"'\x60]{3,200}/,
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "npx",
    "bunx",
    "pnpx",
  ),
  seen(
    /\b(?:apt|apt-get|dpkg|dnf|yum|rpm|brew|gem|cargo|code)\s(?:--install-extension|-i|-y|install|localinstall|-ivh)\s(?:-[a-z-]{1,12}\s)?["']?https?:\/\/[^\s"'\x60]{3,200}/,
    "apt",
    "get",
    "dpkg",
    "dnf",
    "yum",
    "rpm",
    "brew",
    "gem",
    "cargo",
    "code",
  ),
  seen(
    /\b(?:deno\srun|bun\srun|npx\stsx|uv\srun)\s(?:-[a-z-]{1,12}\s)?["']?https?:\/\/[^\s"'\x60]{3,200}/,
    "deno",
    "bun",
    "npx",
    "uv",
  ),
);

export const foreignPackage: Rule = {
  id: "fetch.package",
  level: "high",
  title: "installs a package straight from an address",
  why: "A package from an address of its own has gone past everything that a registry does: names that are checked, versions that stay, reports of malware. It runs code as soon as it is installed. Ask for the package in the public registry.",
  match: where(installs, (text, hit) =>
    addressesOf(text, hit).some((address) => !isForge(address) && !isRegistry(address) && !isNearby(address)),
  ),
  hostile: [
    "```bash\npip install https://wheels.example.net/requests-2.31.0-patched.whl\n```\n",
    "```bash\npip3 install git+https://git.example.org/frameworks/django.git@stable\n```\n",
    "```bash\nnpm install https://files.example.com/helper-1.0.0.tgz\n```\n",
    "```bash\npip install \\\n  https://wheels.example.net/pillow-10.2.0-fixed.tar.gz\n```\n",
  ],
  benign: [
    "```bash\npip install requests==2.32.3\n```\n",
    "```bash\npip install git+https://github.com/example/tool.git@v1.2.0\n```\n",
    "```bash\nnpm install example-sdk # see https://docs.example.com\n```\n",
  ],
};
