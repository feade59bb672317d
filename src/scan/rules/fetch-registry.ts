import { isNearby, isOfficial, isRegistry } from "../words/addresses.ts";
import { addressesOf } from "../words/fetching.ts";
import { any, seen, where } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const asked = any(
  seen(
    /(?:--(?:extra-)?index-url|\s-i|--find-links|--default-index|\bindex-url|\bpip_(?:extra_)?index_url|\buv_(?:default_)?index(?:_url)?)["', =:]{1,5}https?:\/\/[^\s"'\x60]{3,200}/,
    "index",
    "pip",
    "uv",
    "links",
  ),
  seen(/(?:--registry|\bregistry|\bnpm_config_registry)[ =:]{1,3}["']?https?:\/\/[^\s"'\x60]{3,200}/, "registry"),
  seen(
    /\b(?:gem|bundle|cargo|go|nuget|dotnet)\b[^\n]{0,60}(?:--source|--clear-sources --source|--index|goproxy=)[ =]?["']?https?:\/\/[^\s"'\x60]{3,200}/,
    "gem",
    "bundle",
    "cargo",
    "go",
    "nuget",
    "dotnet",
  ),
);
const installs =
  /\b(?:pip3?|uvx?|pipx|npm|npx|pnpm|yarn|bunx?|poetry|gem|bundle|cargo|go|nuget|dotnet|requirements|\.npmrc|pip\.conf)\b/;

export const foreignRegistry: Rule = {
  id: "fetch.registry",
  level: "high",
  title: "installs packages from a registry of its own",
  why: "Whoever runs the registry decides what every package in it contains, also those that carry a well-known name. Use the public registry, or have the person who knows this one confirm it.",
  match: where(asked, (text, hit) => {
    const around = text.lower.slice(Math.max(0, hit.start - 160), hit.end);
    const addresses = addressesOf(text, hit);
    return (
      installs.test(around) &&
      addresses.some((address) => !isRegistry(address) && !isNearby(address) && !isOfficial(address))
    );
  }),
  hostile: [
    "```bash\npip install --index-url https://pypi.example.net/simple team-tools\n```\n",
    "```bash\nnpx --registry https://npm.example.org/ @team/setup\n```\n",
    "```ini\n# .npmrc\nregistry=https://packages.example.net/npm/\n```\n",
    "```bash\nuv pip install --extra-index-url=https://wheels.example.com/simple numpy\n```\n",
  ],
  benign: [
    "```bash\npip install torch --index-url https://download.pytorch.org/whl/cpu\n```\n",
    "```bash\nnpm publish --registry https://registry.npmjs.org\n```\n",
    "The default registry can be overridden with `--registry`.\n",
    "```bash\npip install --index-url http://localhost:3141/root/pypi mylib\n```\n",
  ],
};
