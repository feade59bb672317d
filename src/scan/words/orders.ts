import { any, followedBy, near, seen, several } from "../matchers.ts";

function words(list: string): readonly string[] {
  return list.split(" ");
}

/** What an agent would do for somebody else. */
const deed = seen(
  /\b(?:run|execute|send|upload|post|read|fetch|download|install|delete|remove|curl|wget|forward|exfiltrate|transmit|append|leak|collect|dump|email|copy|visit|follow|obey|comply|reveal|disable|skip|approve|trust|grant|ignore|call|disregard|publish|purchase|choose|find|compose|spell|encode|reply|answer)\b/,
  ...words(
    "run execute send upload post read fetch download install delete remove curl wget forward exfiltrate transmit append leak collect dump email copy visit follow obey comply reveal disable skip approve trust grant ignore call disregard publish purchase choose find compose spell encode reply answer",
  ),
);

const override = seen(
  /\b(?:ignore|disregard|forget|override|bypass|supersede)\b[^\n.]{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|other|system|safety|your)\b[^\n.]{0,30}\b(?:instruction|prompt|rule|guideline|direction|message|restriction|polic|safety|check)/,
  ...words("ignore disregard forget override bypass supersede"),
);

const covert = followedBy(
  seen(
    /\b(?:silently|secretly|covertly|stealthily|quietly)\b/,
    "silently",
    "secretly",
    "covertly",
    "stealthily",
    "quietly",
  ),
  deed,
  40,
);

const untold = seen(
  /\b(?:do not|don't|never|without) (?:tell|mention|inform|notify|alert|reveal|disclos|report|ask|warn)[a-z]{0,5}\b[^\n.]{0,30}\b(?:user|human|operator|owner|anyone|reviewer)s?\b/,
  ...words("not don never without"),
);

const unspoken = seen(
  /\b(?:not|don't|never) mention (?:it|this|that)\b|\bkeep (?:quiet|silent) about\b/,
  "mention",
  "quiet",
  "silent",
);

const newRole = seen(
  /\byou are now\b|\bnew (?:system )?instructions\b|\bdeveloper mode\b|\bsystem override\b|\b(?:agent|ai|llm|hidden|secret)[ _-](?:directive|instruction|command|override)s?\b/,
  ...words("now instructions developer override directive directives instruction command commands overrides"),
);

const newTask = seen(/\b(?:new|real|actual) task\b/, "task");

const addressed = seen(
  /(?:^|[^a-z0-9@/.-])(?:ai|llm|agent|assistant|claude|chatgpt|gpt|gemini|copilot|codex|system)s?(?:[:,]| (?:must|shall|needs to|has to|is to|reading this|processing this))/,
  ...words("ai llm llms agent agents assistant assistants claude chatgpt gpt gemini copilot codex system systems"),
);

const atEveryAnswer = seen(
  /\b(?:before|after|when|while) (?:answering|responding|replying|every|each)\b/,
  ...words("answering responding replying every each"),
);

const secret = seen(
  /\.ssh\b|\bid_(?:rsa|ed25519)\b|(?:^|[\s`'"/])\.env\b|\.aws\/|\bcredentials\b|\bapi keys?\b|\bpasswords?\b|\bprivate keys?\b|\benvironment variables\b|\/etc\/(?:passwd|shadow)\b/,
);

const giving = seen(
  /\b(?:send|upload|post|forward|exfiltrate|transmit|leak|email|copy|curl|wget)\b/,
  ...words("send upload post forward exfiltrate transmit leak email copy curl wget"),
);

/** Words that tell an agent to do something, as nobody writes them in a place that readers do not see. */
export const orders = any(
  override,
  covert,
  untold,
  unspoken,
  newRole,
  newTask,
  followedBy(addressed, deed, 80),
  followedBy(atEveryAnswer, deed, 80),
  near(giving, secret, 100),
);

/** Words that a machine runs. */
export const commands = any(
  seen(
    /\b(?:curl|wget|iwr|irm|invoke-webrequest|certutil|bitsadmin)\b[^\n]{0,120}(?:https?:|ftp:|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.)/,
    "curl",
    "wget",
    "iwr",
    "irm",
    "invoke",
    "certutil",
    "bitsadmin",
  ),
  seen(
    /\/bin\/(?:ba|z|da|k)?sh\b|\/dev\/tcp\/|\|\s{0,4}(?:ba|z)?sh\b|\b(?:ba|z)?sh -[ci]{1,3}\b/,
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "dev",
  ),
  seen(
    /\bpowershell(?:\.exe)?\b[^\n]{0,60}-(?:e|c|w)|\bcmd(?:\.exe)? \/c\b|\biex\b[\s(]|\binvoke-expression\b/,
    "powershell",
    "cmd",
    "iex",
    "invoke",
  ),
  seen(
    /\bpython[0-9.]{0,4} -c\b|\bnode -e\b|\bperl -e\b|\bruby -e\b|\bphp -r\b/,
    "python",
    "python2",
    "python3",
    "node",
    "perl",
    "ruby",
    "php",
  ),
  seen(
    /\b(?:eval|exec)\s?\(|\bos\.(?:system|popen)\b|\bsubprocess\.|\bchild_process\b|\b__import__\b/,
    "eval",
    "exec",
    "os",
    "subprocess",
    "child",
    "import",
  ),
  seen(
    /\brm -[rf]{2}\b|\bchmod (?:\+x|[0-7]{3,4})\b|\bcrontab\b|\bauthorized_keys\b|\bmkfifo\b/,
    "rm",
    "chmod",
    "crontab",
    "authorized",
    "mkfifo",
  ),
  seen(/\.ssh\/|\.aws\/credentials|\/etc\/(?:passwd|shadow)\b/, "ssh", "aws", "etc"),
);

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
