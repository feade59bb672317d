import { any, followedBy, near, seen } from "./matchers.ts";

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
