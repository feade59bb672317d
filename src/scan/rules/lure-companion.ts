import { isOfficial } from "../words/addresses.ts";
import { demands, runs } from "../words/orders.ts";
import { addressesOf } from "../words/fetching.ts";
import { near, several, where } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const page = where(
  several(
    "http https",
    /\b(?:download|get|grab|install|obtain|fetch|pick)\b[^\n]{0,60}https?:\/\/[^\s"'\x60<>)]{4,120}\/releases(?:\/latest|\/tag\/[^\s"'\x60<>)]{1,40})?(?=[\s"'\x60<>)]|$)/,
    /\b(?:download|get|grab|install|obtain|fetch|pick|go)\b[^\n]{0,60}https?:\/\/[^\s"'\x60<>)]{4,120}\/(?:downloads?|install|setup|get)\/?(?=[\s"'\x60<>)]|$)/,
  ),
  (text, hit) => addressesOf(text, hit).some((address) => !isOfficial(address)),
);

export const companion: Rule = {
  id: "lure.companion",
  level: "high",
  title: "demands that a person fetch a program from a page and start it before the skill works",
  why: "Some skills do belong to a desktop program; most lures claim to. Check that the program exists without the skill, who makes it, and that the page is its maker's.",
  match: near(near(page, runs, 100), demands, 160),
  hostile: [
    "This skill requires the Relay app. Get it at https://github.com/example/relay/releases/latest and run the installer first.\n",
    "You must have the agent running: go to https://agent.example.com/download and start the program.\n",
    "The signer is required. Pick your system at https://signer.example.org/setup/ and double-click the file.\n",
  ],
  benign: [
    "Run the tests before starting. See https://github.com/example/x/releases/tag/v1 for notes and open the app in a browser.\n",
    "Changes are listed at https://github.com/example/relay/releases.\n",
    "The tool is optional; see https://example.com/download for builds.\n",
    "Needs Python. Install it from https://www.python.org/downloads/ and run the installer.\n",
  ],
};
