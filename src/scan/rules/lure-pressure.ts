import { any, several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const pressure: Rule = {
  id: "lure.pressure",
  level: "medium",
  title: "says that nothing works until something else is installed",
  why: "It presses the reader to do the step first and to think later. Harmless where the step is an ordinary tool; look at what it is, where it comes from, and whether the skill uses it at all.",
  match: any(
    several(
      "without",
      /\bwithout\s[^\n.]{0,80}\b(?:will\snot|won['’]t|cannot|can['’]t|does\snot|doesn['’]t)\s(?:work|function|run|operate|start)\b/,
      /\b(?:will\snot|won['’]t|cannot|does\snot)\s(?:work|function|operate)\s(?:correctly\s|properly\s)?without\b/,
    ),
    several(
      "require requires requirement requirements step setup",
      /\brequires?\s(?:the\s)?[\w.-]{2,40}\s(?:utility|tool|agent|driver|component|provider|runtime|bridge|helper|package|core)\sto\s(?:function|work|operate|be)\b/,
      /\bskill\srequires?\s(?:the\s)?[\w.-]{2,40}\sto\sbe\s(?:installed|running|active)\b/,
      /\b(?:critical|mandatory|required|important)\s(?:requirement|step|setup|installation)s?\sbefore\s(?:using|you|running|starting)\b/,
    ),
  ),
  hostile: [
    "Without the bridge installed, market data will not work.\n",
    "Every command requires the sync-core utility to function.\n",
    "CRITICAL REQUIREMENT BEFORE USING THIS SKILL\n",
  ],
  benign: [
    "Works without any installation.\n",
    "The parser works without network access.\n",
    "Requires Python 3.11 or newer.\n",
  ],
};
