/** Words by which a text speaks of something instead of asking for it; over text in lower case, never over much of it. */

/** In a sentence: what follows or stands around is an example, a pattern, an attack. */
export const talk =
  /\b(?:detect\w*|flag(?:s|ged|ging)?|look(?:s|ing)? for|looks? like|scan(?:s|ning)? for|check(?:s|ing)? for|watch (?:out )?for|search(?:es|ing)? for|signs? of|such as|e\.g|for example|for instance|like|including|includes?|examples?|samples?|patterns?|attempts?|attack\w*|inject\w*|jailbreak\w*|malicious\w*|hostile|malware|payloads?|suspicious|phish\w*|scams?|fake|red flags?|threat\w*|exploit\w*|vulnerab\w*|dangerous|unsafe|insecure|risky?|if you (?:see|encounter|find|notice|receive)|when you (?:see|encounter)|contain(?:s|ing)?|claim(?:s|ing)?|treat\w*|warn\w*|block(?:s|ed|ing)?|reject(?:s|ed)?|refuse|ignore any|report|never|do not|don['’]t|avoid|indicat\w*|impersonat\w*|test (?:strings?|inputs?|cases?|prompts?))\b|например|подозрительн|вредонос|атак|обнаруж|признак|опасн|例如|比如|检测|攻击|注入|恶意|可疑|危险|禁止|例：|例えば|検出|攻撃|悪意|不審|疑わ|危険|怪し|zum beispiel|z\. ?b\.|verdächtig|angriff|gefährlich|schadcode|par exemple|suspect|attaque|malveillan|por ejemplo|por exemplo|sospechos|suspeit|ataque|malicios/;

/** Behind it: what was just quoted is called bad. */
export const judged =
  /^[^\n]{0,160}(?:\b(?:inject\w*|attack\w*|malicious|hostile|suspicious|red flags?|dangerous|unsafe|insecure|jailbreak\w*|phish\w*|scam|exploit\w*|should be (?:flagged|rejected|blocked|ignored|refused)|is (?:data|untrusted|not an instruction))\b|无视它|当作数据|は無視|として扱)/;

/** Somebody else asks for it: "a page which tells you to …". */
export const reported =
  /\b(?:makes|tells|asks|tricks|lures|gets|urges|instructs|convinces|wants|orders|pushes|telling|asking|tricking|luring|instructing) (?:you|users?|people|victims?|agents?|models?|them|staff|employees|colleagues|developers|visitors|readers|customers|someone|the (?:user|victim|agent|model|reader|assistant|ai))\b[^\n.!?]{0,80}$/;

/** An order to do something: not talk, whatever else the line says. */
export const orders =
  /(?:^|[:,]\s|\b(?:then|please|must|always|now|should|first|next|just|simply|also|and|finally) |\byou (?:can|need to|have to) )[\s>*_#\-\d.)]{0,12}(?:run|execute|copy|paste|download|install|visit|open|type|enter|launch|upload|post|send|fetch|pipe|add|append|insert|use|call|put|write|create)\b/;

/** What is quoted goes into a shell or an interpreter. */
export const runs =
  /(?:\b(?:bash|sh|zsh|cmd|powershell|pwsh|python3?|node|deno|bun|perl|ruby|php)(?:\.exe)?\s{1,4}[-/][a-z]{1,12}\s{0,4}|\b(?:eval|iex|invoke-expression|source)\s{1,4}|\b(?:eval|exec|system|popen|spawn|execsync|spawnsync|shell_exec|passthru|check_output|run|call|exec_command)\s{0,2}\(\[?\s{0,2})(?:["'`]|\$\()[^"'`\n]{0,160}$/;

/** A negation that forbids, with what stands between it and the end of the text that leads to the place. */
const not =
  /(?:\b(?:never|do not|don['’ ]t|does not|doesn['’ ]t|must not|mustn['’ ]t|should not|shouldn['’ ]t|may not|cannot|can['’ ]t|will not|won['’ ]t|avoid|refuses? to|forbidden to|not allowed to|prohibited from|instead of|rather than|niemals|nie|keinesfalls|jamais|ne pas|nunca|jamás)\b|никогда не|нельзя|не (?:запускай|выполняй|вставляй|исполняй)|不要|切勿|禁止|请勿)(?<rest>[^.!?;:,(\n=&|<>$]{0,60})$/;

/** A negation of these asks for the thing: "do not forget to run", "never skip", "do not proceed without". */
export const turned =
  /\b(?:skip\w*|forget\w*|fail\w*|hesitat\w*|worry|omit\w*|miss\w*|neglect\w*|wait\w*|stop\w*|ask\w*|tell\w*|mention\w*|show\w*|inform\w*|proceed\w*|continu\w*|start\w*|until|unless|without|before|because|but|instead|then|so|need to|have to|only|just|will|and you|or you)\b/;

/** A comment in code that says plainly, and first of all, that this is how not to do it. */
export const calledBad =
  /^[\s#/*-]{0,16}(?:❌|✗|🚫|⛔|(?:example:? |this is )?(?:an? )?(?:very )?(?:bad|wrong|incorrect|insecure|unsafe|dangerous|vulnerable|malicious|hostile|anti-?pattern|mal[oa]?|mauvais|schlecht|falsch)(?:$|\s{0,2}[:：!—–(.-]|,? (?:example|code|pattern|way|version|variant|sample|usage|practice|command|payload|script|do not|don['’]t|never)\b)|(?:never|do not|don['’]t|please don['’]t) (?:ever )?(?:do|run|use|execute|copy|paste|ship|write) (?:this|it|that|these|so)\b|плохо|опасно|危险|错误|悪い)/;

/** A comment in code that shows the other half: how it is done well. */
export const calledGood =
  /^[\s#/*-]{0,16}(?:✅|✓|✔|(?:good|right|correct|better|safer?|secure|fixed|bien|bon|gut|richtig)(?:$|\s{0,2}[:：!—–(.-]|,? (?:example|code|pattern|way|version|variant|alternative|usage|practice|command)\b)|хорошо|правильно|正确|良い)/m;

/** In code: what is in quotes is what is searched for. */
export const searches =
  /\b(?:grep|egrep|rg|ripgrep|ack|re\.\w{3,10}|regex\w{0,8}|regexp|patterns?\w{0,10}|match\w{0,10}|includes|indexof|contains|findstr|select-string|signatures?|blocklist|blacklist|denylist|deny|yara|strings|secrule|like|rlike|has_any|has_all|startswith|endswith|content|pcre|wildcard|(?:process)?commandline|command_line|cmdline|pattern-\w{2,12})\b/;

/** What a quoted command begins with. */
export const commands =
  /^\W{0,4}(?:curl|wget|bash|sh|python3?|node|nc|ncat|rm|cat|echo|sudo|powershell|iwr|iex|irm|eval|exec|https?|npx?|pip3?|chmod|base64|\/|~|\.|\$)/;

/** A heading or a line with a colon that announces what is bad. */
export const threat =
  /\b(?:threats?|attack\w*|red flags?|anti-?patterns?|what not to do|don['’]?ts?|do not|never|forbidden|prohibited|malicious|hostile|malware|dangerous|suspicious|detect\w*|inject\w*|jailbreak\w*|exploit\w*|vulnerabilit\w*|indicators?|signs? of|warning signs?|unsafe|insecure|bad|wrong|blocked|blocklist|blacklist|denied|scams?|phishing|flags?|abuse|risk\w*|mistakes?|avoid|signatures?|poison\w*|exfiltration|reverse shells?|persistence|test (?:strings?|inputs?|prompts?))\b|❌|🚫|⛔|🚨|подозрительн|признак|опасн|атак|可疑|危险|攻击|恶意|禁止|不審|危険|攻撃|禁止事項|verdächtig|gefährlich|warnzeichen|suspect|sospechos/;

/** Words of threats that also stand over ordinary steps: "detect the platform", "flags", "avoid errors". */
export const vague = /\b(?:detect\w*|(?<!\bred )flags?|avoid|persistence|signatures?|indicators?|blocked|risk\w*)\b/g;

/** A line that leads to what is looked for or refused. */
export const hunt =
  /\b(?:ignore (?:any|all)|(?:instructs?|asks?|tells?|wants?|tries to get|attempts? to get) you to|look(?:s|ing)? for|scan(?:s|ning)? for|check(?:s|ing)? for|watch (?:out )?for|if you see|flag|never|do not|don['’]t|refus\w{1,4}|den(?:y|ies)|disallow\w{0,4}|not allowed|reject\w{0,3}|wordings?|lures?|tricks?|pretexts?)\b/;

/** A heading under which things are done, whatever the text is about. */
export const doing =
  /\b(?:install\w*|set ?up|prerequisites?|requirements?|getting started|quick ?start|usage|initiali[sz]ation|configuration|first run|first steps|required|bootstrap\w*|activation|before (?:you (?:start|begin|use)|using|first use))\b|установк|требовани|requisitos|instalaci[oó]n|instalação|voraussetzung|安装|インストール/;

/** What a text about security says of itself. */
export const security =
  /\b(?:secur\w*|audit\w*|inject\w*|jailbreak\w*|threats?|malware|malicious|hostile|scann\w*|vulnerab\w*|pentest\w*|penetration|red.?team\w*|blue.?team\w*|guard\w*|phish\w*|scams?|fraud|defen[cs]\w*|sentinel|firewall|waf|vet(?:ting|ter)?|safety|attack\w*|exploit\w*|forensic\w*|incidents?|triage|compromised|intrusion|hardening|trust|secrets?|abuse|adversarial|iocs?|detection|owasp|cves?|yara|sigma|siem|stealers?|infostealers?|ransomware|worms?|trojans?|rootkits?|backdoors?|botnets?|spyware|spoofing|ctf|deny.?lists?|block.?lists?|denied|blocked (?:by|commands)|typosquat\w*|supply.?chain|look-?alikes?|homoglyphs?|sandbox\w*|awareness|captcha|hidden (?:orders|instructions|commands|prompts)|ciberseguridad|phishing|hameçonnage|attaques?|malveillan\w*|ataques?|malicios[oa]s?|(?:instructions|consignes|ordres) cachée?s|angriffe?|schadsoftware|schadcode|versteckte (?:befehle|anweisungen)|(?:review|vet|check|audit)\w{0,4} (?:[a-z-]{1,20} ){0,3}(?:skills?|plugins?|extensions?|packages?|dependencies))\b|(?:rdenes|instrucciones|ordens|instruções) (?:escondidas|ocultas)|безопасност|инцидент|защит|атак|вредонос|уязвим|фишинг|внедрени[а-я] инструкц|安全|注入|攻击|恶意|漏洞|セキュリティ|脆弱|攻撃|悪意|보안|악성|sicherheit|sécurité|seguridad|segurança/;

/** A heading that names what is done as something bad: "what bad install scripts look like". */
export const badDoing =
  /\b(?:bad|malicious|fake|suspicious|hostile|dangerous|unsafe|poisoned|trojani[sz]ed)\s(?:[\w-]{1,20}\s)?(?:install\w*|set ?ups?|prerequisites?|requirements?|configurations?|scripts?)\b|\blooks? like\b/;

/** A line above or below a block that asks for what is in it, whatever the headings say. */
export const needs =
  /\b(?:before (?:using|running|installing|continuing|proceeding|anything|the first|first use|you (?:use|start|begin|continue|proceed|can))|(?:is|are) (?:required|mandatory|needed)|required (?:step|before|for|to|first|once)|mandatory|prerequisites?|(?:must|has to|have to|needs? to|should) (?:be )?(?:run|executed?|installed?|pasted?|applied|loaded)|make sure (?:to|you|that|this)|one-?time|you (?:can|should|must|need to|have to|will) (?:run|execute|paste|install|use)|ejecut[ae]|exécute[rz]?|führen? [^\n]{0,40}aus|installiere|instala|installez)\b|\b(?:follow|obey|adopt|apply|perform|remember|keep to|to (?:get started|activate|enable|initiali[sz]e|finish|complete|install|set up|start|continue|proceed|unlock|verify))\b[^\n.]{0,40}[:：]|выполни|запусти|установи|运行|执行|安装|実行して|インストールして/;

/** Behind a block: it is to be run. */
export const runsAbove =
  /(?<!\b(?:never|not|don['’]t|if you|who|which|that|users?|victims?|people|they) )\b(?:run|execute|copy|paste|enter|type|apply|launch)\b[^\n.!?]{0,40}\b(?:above|this|these|it|that|them|commands?|block|snippet|script|line)\b/;

/** A line that leads to a block says that somebody else wrote it or that it was found. */
export const shows =
  /\b(?:sa(?:ys|id|w)|reads|wrote|written|look(?:s|ed) like|contain(?:s|ed|ing)|showed|shows|seen|found|observed|captured|recorded|logged|recovered|decoded|decodes to|deobfuscated|extracted|quot(?:e|es|ed|ing)|defanged|excerpts?|fragments?|snippets?|samples?|specimens?|typical|below the fold|in (?:the|its|an?|one|this) (?:[\w'’-]{1,20} ){0,2}(?:skill(?:\.md)?|readme(?:\.md)?|file|mail|page|document|issue|comment|ticket|message|pull request)|posted|sent|received|was|were|had|attacks?|attackers?|malicious|hostile|malware|payloads?|injected|fragmento|extracto|trozo|dice|decía|dit|disait|extrait|lit|trecho|diz|dizia|auszug|steht|lautet|stand)\b|написан|фрагмент|пример|гласит|содержит|片段|写着|内容|内容は|書かれ|と書/;

/** What cannot be called as it stands: an address that was made harmless to be shown. */
export const defanged = /\bhxxps?\b|\bmeow:\/\/|\[(?:\.|dot|:|:\/\/)\]|\(dot\)/;

/** A line of a log: it begins with the time or with who called. */
export const logged =
  /^[ \t>|]{0,8}(?:\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d|[a-z]{3} {1,2}\d{1,2} \d\d:\d\d:\d\d|\[?\d\d:\d\d(?::\d\d)?\]?\s|\d{1,3}(?:\.\d{1,3}){3} - |type=[a-z_]{3,20} msg=|\{"(?:time|timestamp|ts|@timestamp)")/;

/** A line of test data: what is expected of it stands beside it. */
export const labelled =
  /^[ \t]{0,8}[-*"'{[(]{0,4}\s?(?:blocks?|blocked|deny|denied|bad|malicious|attack|hostile|rejects?|rejected|unsafe|fail|injection|jailbreak|suspicious|phish(?:ing)?)["']?\s{0,3}(?:[,;|]\s?["'\x60]|=> |\s\W{0,3}(?:curl|wget|bash|sh|python3?|node|nc|ncat|rm|cat|echo|sudo|powershell|iwr|iex|irm|eval|base64|env)\b(?=[^\n]{0,200}[|>;$/-]))|["']?\b(?:expect\w{0,4}|label|verdict|class|should|action|is_malicious)["']?\s?[:=]\s?["']?(?:block\w{0,3}|deny|denied|malicious|attack|reject\w{0,2}|unsafe|fail|injection|flag\w{0,3}|true|refuse\w{0,2})\b|,\s?(?:true|1|["'](?:block\w{0,3}|deny|malicious|attack|reject\w{0,2}|unsafe|injection)["'])\s?[)\]}],?\s{0,4}$|\b(?:assert\w{0,12}|expect|is_?(?:malicious|safe|blocked|allowed|injection)|scan|classify|detects?)\s?\(\s{0,2}(?:[a-z_.]{1,24}\(\s{0,2})?r?["']/;

/** Languages of fences whose lines are commands, or are likely to be. */
export const shells =
  /^(?:sh|bash|zsh|fish|shell|console|shell-session|terminal|cmd|bat|batch|powershell|ps1|pwsh|code)$/;

/** Leads that ask to try a rule or a search out: what is searched for is not done. */
export const tries =
  /\b(?:quer(?:y|ies)|rules?|search\w*|hunt\w*|detect\w*|patterns?|signatures?|regex\w*|filters?|deny|block)\b/;

/** A heading over what was found or is only tried out: code under it is a record. */
export const records =
  /\b(?:history|timeline|evidence|arti?efacts?|excerpts?|iocs?|payloads?|samples?|stage (?:one|two|three|\d)|kill chain|case (?:study|\d{1,4})|post-?mortem|what happened|the trick|story|quiz|exercises?|ejercicios?|fixtures?|test cases?|foothold|privilege escalation)\b/;

/** Somebody did it: it is told, not asked for. */
export const narrated =
  /\b(?:attackers?|intruders?|actors?|it|they|he|she|scripts?|malware|packages?|samples?|pages?|worms?|stealers?|loaders?|droppers?|trojans?|developers?|victims?|users?|stages?|payloads?|skills?|binary|implant|extension) (?:then |also |first |later )?(?:ran|read|sent|wrote|put|took|got|stole|hid|made|set|left|used|[a-z]{3,12}ed)\b|\b(?:was|were|had been) (?:then |also |first )?(?:run|read|sent|written|put|taken|stolen|hidden|set|used|[a-z]{3,12}ed)\b/;

/** What makes an order out of an entry of a list, whatever the list is about. */
export const urgent = /\b(?:first|now|please|required|mandatory|before (?:using|you|the|anything|first))\b/;

/** Right before what was found: it is how something is set up or got. */
export const gets =
  /(?:(?:^|[.!?]\s|[-*]\s)\W{0,6}(?:set ?up|install(?:ation|er)?|prerequisites?|requirements?|activation|quick ?start|usage|first run)\W{0,4}[:：]|\b(?:get|fetch|install|load|download|start|update|activate|enable) (?:it|them|this|(?:the|its|your) [\w-]{1,20}(?: [\w-]{1,20})?) (?:via|with|by|using|from|through))\W{0,6}$/;

/** A heading over a part of the skill itself, also where that part is about threats: "threat feed". */
export const tooling =
  /\b(?:feeds?|databases?|engines?|scanners?|updat(?:e|es|ing)|services?|servers?|clients?|modules?|plugins?|run(?:ning)?|scan(?:ning)?|helpers?)\b/;

/**
 * Whether the words that lead to a place forbid what stands there: the last negation governs it, a few words before it,
 * with nothing between that would turn it. "You cannot go wrong if you …" forbids nothing.
 */
export function forbids(sentence: string): boolean {
  const words = sentence.replace(/[*_`"'“”\s]{1,20}/g, " ");
  const negation = lastNegation(words);
  if (negation === undefined || undone.test(words.slice(0, negation.start))) return false;
  const { rest } = negation;
  return governed.test(rest) && !turned.test(rest) && !clause.test(rest);
}

interface Negation {
  readonly start: number;
  readonly rest: string;
}

function lastNegation(words: string, from = 0): Negation | undefined {
  const found = not.exec(words.slice(from));
  const rest = found?.groups?.["rest"];
  if (found === null || rest === undefined) return undefined;
  return lastNegation(words, words.length - rest.length) ?? { start: from + found.index, rest };
}

/** The negation is itself a condition or negated: "if you do not …", "never avoid …". */
const undone =
  /\b(?:if|unless|when|because|since|who|which|that|never|not|nor|without|don['’ ]t|cannot|can['’ ]t|won['’ ]t|avoid) [a-z ]{0,24}$/;

/** Behind one of these something else is said than what the negation is about: "you will not regret it when …". */
const clause =
  /\b(?:and|if|when|whenever|while|once|after|as|since|by|else|otherwise|where|lest|keep\w*|prevent\w*|hinder\w*|deter\w*|afraid|shy|resist\w*|object\w*|refus\w*|mind|matter)\b/;

/** What is forbidden is to do something: these are the beginnings of words for it. */
const verbs = [
  "run execut eval pip past copy us typ enter do doing follow obey act comply read open cat send post upload print log echo",
  "writ stor commit includ put add append install download fetch call invok load import access touch delet remov expos shar",
  "leak hardcod hard-cod embed accept trust allow let suggest recommend output generat creat mak set disabl reveal disclos pass",
  "return modify chang edit overwrit respond visit click ignor try attempt push forc bypass say launch curl wget chmod sudo giv",
  "grant request ejecut instal copi peg exécut lanc coll utilis führ",
].flatMap((line) => line.split(" "));

/** Between a negation and what it forbids: nothing, or a verb and a few words more. Not every script has spaces. */
const governed = new RegExp(
  `^\\s?(?:(?:ever|blindly|simply|directly|manually|automatically|silently|yourself|even|be) ){0,2}` +
    `(?:$|(?:${verbs.join("|")})(?:e|es|ed|s|ing|ning|ting|ging|ding|en|er|ez|ar|as)?(?![a-z])(?:\\s\\S{1,24}){0,5}\\s{0,2}$|[^\\x00-\\x7f])`,
);
