import { several } from "./several.ts";

/** Words that make a step a condition: nothing goes on without it. */
export const demands = several(
  "",
  /\b(?:requires?|required|requirements?|needs?|needed|mandatory|prerequisites?|otherwise|won['’]t\swork)\b/,
  /\bmust\s(?:be|have|first)\b|\bprior\sto\b|\bfirst\s(?:need|run|use|command|install|download)\b/,
  /\bbefore\s(?:using|starting|running|proceeding|you|the\sfirst|first|setting|each|downloading)\b/,
  /\b(?:will\snot|cannot|does\snot)\s(?:work|function|sign|run|start)\b|\bwhile\s(?:the|this|using)\s(?:the\s)?skill\b/,
  /\b(?:antes\sde|vor\sdem|avant\sd)|перед|必须|请先|必要/,
);

/** An order to a person to start a program with their own hands. */
export const runs = several(
  "",
  /\b(?:run|launch|execute|start|open|click|install)\s(?:on\s)?the\s(?:extracted\s)?(?:executable|installer|program|app|application|binary)\b/,
  /\b(?:run|launch|execute|start)\s(?:on\s)?the\s(?:extracted\s)?(?:file|tool|utility|setup)\b/,
  /\b(?:run|launch|execute|start|open|click|install|ejecuta|starte)\b[*_\s]{1,4}(?:on\s)?(?:the\s)?[\x60"']?[\w.-]{1,40}\.(?:exe|msi|dmg|pkg|bat|scr|app)\b/,
  /\b(?:run|launch|start)\s[\w-]{2,40}\s(?:file|before)\b|\b(?:keep|leave)\s[\w.-]{2,40}\s(?:open|running)\b/,
  /\bextract\b[^\n]{0,80}\band\s(?:run|open|launch|start)\s[\w-]{2,40}\b/,
  /\b(?:mount|run|start|launch|open)\s[\x60"'<(]?https?:|\bdouble-?click|双击|запусти/,
);
