import { any } from "../matchers.ts";
import type { Matcher } from "../rule.ts";
import { said } from "../sentences.ts";

/** Cyrillic, Arabic, Devanagari, and the scripts of Chinese, Japanese and Korean. */
const otherScripts = /[\u0400-\u04ff\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/** What any of them finds. Most texts have no letter of such a script, and are not searched. */
export function inOtherScripts(...matchers: readonly Matcher[]): Matcher {
  const { patterns, find } = any(...matchers);
  return { patterns, find: (text) => (otherScripts.test(text.lower) ? find(text) : []) };
}

/** Orders to keep something from the user, in languages other than English. */
export const kept = any(
  said(
    /\b(?:dem|den|der|des) (?:nutzer|benutzer|anwender|user|kunden|menschen)(?:in|s)?\b[^\n.!?]{0,30}\b(?:nicht|nichts|nie|niemals) (?:davon )?(?:sagen|mitteilen|zeigen|erwähnen|verraten|informieren|erzählen|merken|wissen|auffallen)|\b(?:sag|sage|erzähl|erzähle|verrate|zeige|informiere|erwähne|teile)\b[^\n.!?]{0,30}\b(?:nutzer|benutzer|anwender|user)\b[^\n.!?]{0,12}\b(?:nicht|nichts|nie|niemals|davon)\b|\bohne (?:wissen|zustimmung|rückfrage|den|dass der) [^\n.!?]{0,16}(?:nutzer|benutzer|anwender|user)|\b(?:heimlich|unbemerkt|stillschweigend)\b/,
    "nutzer",
    "benutzer",
    "anwender",
    "user",
    "kunden",
    "menschen",
    "nutzers",
    "benutzers",
    "heimlich",
    "unbemerkt",
    "stillschweigend",
  ),
  said(
    /\bne (?:le |la |les |lui |leur |l.)?(?:dis|dites|mentionne|mentionnez|révèle|révélez|montre|montrez|préviens|prévenez|informe|informez|signale|signalez|parle|parlez)\b[^\n.!?]{0,40}\b(?:utilisateur|usager|client)|\b(?:à l.insu de|sans (?:prévenir|informer|avertir|demander à|en parler à|le dire à)) (?:l.)?(?:utilisateur|usager)|\b(?:en secret|secrètement|discrètement|silencieusement)\b/,
    "utilisateur",
    "usager",
    "client",
    "secret",
    "secr",
    "discr",
    "silencieusement",
  ),
  said(
    /\b(?:no|nunca) (?:le |se lo |lo )?(?:digas|diga|menciones|mencione|muestres|informes|informe|reveles|avises|cuentes)\b[^\n.!?]{0,30}\b(?:usuario|cliente)|\bsin (?:que el|avisar al|informar al|decirle al|preguntar al|conocimiento del) usuario|\b(?:não|nunca) (?:diga|conte|mencione|informe|revele|mostre|avise)\b[^\n.!?]{0,30}\b(?:usuário|utilizador)|\bsem (?:avisar|informar|perguntar|contar|o conhecimento)[^\n.!?]{0,6} (?:usuário|utilizador)|\bnon (?:dire|menzionare|rivelare|informare|mostrare|avvisare)\b[^\n.!?]{0,30}utente|\bsenza (?:avvisare|informare|chiedere)[^\n.!?]{0,8}utente/,
    "usuario",
    "cliente",
    "usu",
    "utilizador",
    "utente",
  ),
  said(
    /\b(?:nikomu|nic mu|nic jej) nie mów|\bnie (?:mów|informuj|wspominaj|powiadamiaj)[^\n.!?]{0,20}użytkownik|никому не (?:говори|сообщай|рассказывай)|\bsin (?:decir nada|decírselo|que nadie)|\bn.en (?:parle|parlez) (?:pas|à personne)|उपयोगकर्ता को (?:न|मत|नहीं)[^\n.!?]{0,10}(?:बता|सूचित)|そのことは(?:報告|伝え|言わ)/,
  ),
  said(
    /\bsenza (?:dirlo|dire nulla|farlo sapere|rivelarlo)\b[^\n.!?]{0,12}utente|\bnon rivelare mai\b|\bdi nascosto\b|\bne (?:préviens|prévenez|dis|dites|informe|informez|avertis) (?:pas|rien|jamais)\b[^\n.!?]{0,24}(?:élève|client|lecteur|personne|visiteur|utilisateur)|\b(?:a escondidas|às escondidas)\b|\bsem dizer (?:nada )?(?:ao|à)\b|\bohne (?:es|dies|das) (?:dem|der|den) [^\n.!?]{2,16} zu (?:sagen|zeigen|verraten)|\bverschweige?\b[^\n.!?]{0,24}(?:nutzer|benutzer|kunden)/,
    "utente",
    "rivelare",
    "nascosto",
    "ne",
    "escondidas",
    "sem",
    "ohne",
    "verschweige",
    "verschweig",
  ),
  said(
    /(?:по секрету|не выдавай|скрой это) от пользовател|скры(?:вай|ть|й)[а-я]{0,3} (?:это )?от пользовател|\b(?:potajemnie|po cichu|w tajemnicy)\b[^\n.!?]{0,20}(?:wyślij|skopiuj|prześlij|zapisz|uruchom)|对用户(?:隐瞒|保密)|瞒着用户|사용자 ?몰래|몰래 [^\n.!?]{0,12}(?:전송|보내|복사|실행)|ユーザーに(?:は)?(?:内緒|秘密)/,
  ),
  inOtherScripts(
    said(
      /не (?:говори|сообщай|упоминай|показывай|рассказывай|раскрывай|уведомляй|спрашивай|предупреждай)[а-я]{0,3} [^\n.!?]{0,20}пользовател|без ведома пользовател|пользователь не (?:должен|узнает|заметит)|(?:тайно|незаметно|скрытно|втайне) [а-я]{3,16}/,
    ),
    said(
      /(?:不要|别|勿|无需|不得|切勿|不必|禁止)[^\n。！？]{0,6}(?:告诉|告知|通知|提及|提示|透露|让|提醒|询问)[^\n。！？]{0,4}(?:用户|使用者|客户)|(?:悄悄|偷偷|暗中|静默地?)[^\n。！？]{0,4}(?:读取|发送|上传|执行|收集|复制|下载|安装|运行)|用户不知情/,
    ),
    said(
      /ユーザー?(?:に|には|へ)[^\n。！？]{0,14}(?:知らせない|伝えない|言わない|教えない|見せない|告げない|知らせず|伝えず|知らせないで|気づかれ|報告しない)|(?:こっそり|密かに|ひそかに|黙って)[^\n。！？]{0,12}(?:読|送|実行|収集|コピー|保存)|사용자(?:에게|가|는|한테)[^\n.!?]{0,12}(?:알리지|말하지|모르게|언급하지|보여주지)/,
    ),
  ),
);

/** German, Dutch, French, Spanish, Portuguese, Italian, Polish, Turkish. */
const romance = said(
  /\b(?:ignor(?:a|e|ez|er|iere|ieren|ar|are)|oubli(?:e|ez|er)|olvid(?:a|e|ar)|esque[cç]a|desconsidere|dimentica|descarta|negeer|vergeet|zignoruj|missachte|vergiss|vergessen sie)\b[^\n.!?]{0,24}\b(?:instructions?|consignes|directives|instrucciones|[oó]rdenes|reglas|indicaciones|instru[cç][oõ]es|regras|ordens|istruzioni|regole|instructies|regels|poprzednie)\b[^\n.!?]{0,12}(?:pr[eé]c[eé]dent|ant[eé]rieur|ci-dessus|anterior|previ[ao]s|pr[eé]vias|preceden|instrukcje|polecenia)/,
);
const german = said(
  /\b(?:ignorier(?:e|en|t)|missacht(?:e|en)|vergiss|vergessen|negeer|vergeet)\b[^\n.!?]{0,24}\b(?:bisherig|vorherig|vorig|obig|fr[uü]her|vorangegangen|vorstehend|vorangehend|eerder|vorige|bovenstaand)[a-z]{0,3} (?:anweisung|instruktion|befehl|regel|vorgabe|richtlinie|instructie|opdracht)/,
  "ignoriere",
  "ignorieren",
  "ignoriert",
  "missachte",
  "missachten",
  "vergiss",
  "vergessen",
  "negeer",
  "vergeet",
);
const germanAll = said(
  /\b(?:vergiss|vergessen sie|ignorieren? sie|ignoriere|missachte) (?:alles|alle|jede|sämtliche)[^\n.!?]{0,30}\b(?:gesagt|vorher|zuvor|bisher|anweisung|regel|vorgabe|gelernt|oben)/,
  "vergiss",
  "vergessen",
  "ignorieren",
  "ignoriere",
  "missachte",
);
const latinAll = said(
  /\b(?:oublie|oubliez|olvida|olvide|ignora|ignorez|desconsidere|descarta|descarte|esqueça|dimentica|dimenticate|ignorate|omite|trascura)\b[^\n.!?]{0,12} (?:las?|los?|les?|tes|vos|toutes?|tout|todas?|todos?|tudo|as|os|tus|sus|suas|le|tutte|tutto|ogni|i)\b[^\n.!?]{0,24}\b(?:consignes|instructions|règles|directives|ordres|instrucciones|reglas|órdenes|indicaciones|directrices|restricciones|instruções|orientações|regras|ordens|diretrizes|restrições|istruzioni|regole|ordini|direttive|indicazioni|restrizioni|ce qu|lo que|que (?:foi|lhe|te))/,
);
const polish = said(
  /\b(?:zignoruj|ignoruj|zapomnij|pomiń)(?:cie)?\b[^\n.!?]{0,20} (?:wszystki|poprzedni|wcześniejsz|dotychczasow)[^\n.!?]{0,36}(?:polece|instrukcj|zasad|reguł)/,
  "zignoruj",
  "ignoruj",
  "zapomnij",
  "pomi",
  "zignorujcie",
  "ignorujcie",
  "zapomnijcie",
);
const heedNot = said(
  /\bne (?:tiens|tenez|suis|suivez|respecte|respectez)\b[^\n.!?]{0,6} (?:plus|pas)\b[^\n.!?]{0,16}(?:consignes|instructions|règles|directives|ordres)|\bno (?:tengas|tomes|tenga|tome) en cuenta\b[^\n.!?]{0,12}(?:instrucciones|reglas|órdenes|indicaciones)|\bno hagas caso (?:de|a)\b|\b(?:halte|richte) dich nicht (?:mehr )?(?:an|nach)\b|\b(?:não|nao) (?:siga|leve em conta|obedeça)\b[^\n.!?]{0,12}(?:instruções|regras|ordens|orientações)|\bnon (?:seguire|considerare|tenere conto)\b[^\n.!?]{0,16}(?:istruzioni|regole|indicazioni|ordini)/,
  "ne",
  "no",
  "dich",
  "non",
  "o",
  "nao",
);
const turkish = said(/önceki[^\n.!?]{0,12}talimatlar[^\n.!?]{0,12}(?:yok say|unut|görmezden)/);
const cyrillic = said(
  /(?:игнорируй|проигнорируй|забудь|не обращай внимания на|не следуй)[а-я]{0,3}[^\n.!?]{0,16} (?:предыдущ|прежн|прошл|вышеуказанн|вышестоящ|данн|всем|все)[а-я]{1,4}[^\n.!?]{0,12} (?:инструкци|указани|правил|команд|директив)/,
);
const chinese = said(
  /(?:忽略|无视|無視|忘记|忘掉|忽視|不要理会|不要遵守|请忽略)[^\n。！？]{0,6}(?:之前|以上|先前|前面|上面|上述|所有|一切|此前)[^\n。！？]{0,8}(?:指令|指示|命令|规则|規則|提示|要求|说明|設定)/,
);
const japanese = said(
  /(?:これまで|以前|前|上記|すべて|全て|上)の[^\n。！？]{0,10}(?:指示|命令|ルール|指令|プロンプト|設定)[^\n。！？]{0,8}(?:無視|忘れ|破棄)/,
);
const korean = said(/(?:이전|위의|앞선|모든)[^\n.!?]{0,10}(?:지시|명령|지침|규칙)[^\n.!?]{0,8}(?:무시|잊)/);
const arabic = said(/تجاهل[^\n.!?]{0,12}(?:التعليمات|الأوامر)/);
const hindi = said(/पिछले[^\n.!?]{0,12}निर्देश[^\n.!?]{0,12}(?:अनदेखा|भूल|नज़रअंदाज़)/);

/** Orders to drop what the model was told before, in languages other than English. */
export const dropped = any(
  romance,
  german,
  germanAll,
  latinAll,
  polish,
  heedNot,
  turkish,
  inOtherScripts(cyrillic, chinese, japanese, korean, arabic, hindi),
);
