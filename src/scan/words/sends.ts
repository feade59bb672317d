import { alongside, any, seen, several, where } from "../matchers.ts";

/** A command line, over the ends of lines that are continued. */
const line = String.raw`(?:[^\n]|\\\n){0,240}?`;

/** Behind the other machine's path one more of this machine: what stands last is where the files go. */
const comesHere = /^[^\s]{1,100}\s{1,4}["']?[~./$\w][^\s:|;&]{0,100}["']?[ \t]{0,4}(?:\n|[;&#]|$)/;

/** Commands and calls that send something away that the caller chooses. */
export const uploads = any(
  seen(
    new RegExp(
      String.raw`\bcurl(?:\.exe)?\b${line}\s(?:-d\b|--data|--json\b|-f\s{0,2}["']?[\w-]{1,30}=|--form|-t\s{0,2}\S|--upload-file|-x\s{0,2}["']?(?:post|put|patch)\b|--request[ =](?:post|put|patch)\b)`,
    ),
    "curl",
  ),
  seen(new RegExp(String.raw`\bcurl\b${line}\s-(?:[a-z]{1,5}x\s?["']?(?:post|put)\b|[a-z]{1,5}d\s["'@$])`), "curl"),
  seen(new RegExp(String.raw`\bcurl["'],${line}["'](?:-d|--data[\w-]{0,12}|post|put|-f|--form)["']`), "curl"),
  seen(new RegExp(String.raw`\bwget\b${line}--(?:post|body)-(?:data|file)`), "wget"),
  seen(/\bhttps? (?:post|put)\b/, "http", "https"),
  seen(
    /\b(?:net::http\.post(?:_form)?|net::http::(?:post|put)\.new|httparty\.post|faraday\.post|restclient\.post|excon\.post)\b/,
    "post",
    "put",
  ),
  seen(/\bhttp\.(?:newrequest(?:withcontext)?\([^\n]{0,24}["'](?:post|put)|postform\()|\bhttp\.methodpost\b/, "http"),
  seen(
    /\bcurlopt_post(?:fields)?\b|->post\(|\breqwest::[^\n]{0,80}\.post\(|\bbodypublishers\.of/,
    "post",
    "curlopt",
    "ofstring",
  ),
  seen(/\.request\(\s{0,12}["'](?:post|put)["']|\b\w{1,24}\.(?:post|put)\(\s{0,12}f?["'\x60]https?:/, "post", "put"),
  seen(
    /\b(?:requests|httpx|session|client|axios|got|http|superagent|needle|ky|\$)\.(?:post|put|patch)\(/,
    "post",
    "put",
    "patch",
  ),
  seen(
    /\burllib\.request\.(?:request|urlopen)\([^;]{0,160}\bdata\b|\burlopen\([^\n]{0,120}\bdata\s?=/,
    "urllib",
    "urlopen",
  ),
  seen(
    /\b(?:fetch|axios|got|request|undici\.request)\([^;]{0,240}\bmethod["']?:\s?["'](?:post|put)/,
    "fetch",
    "axios",
    "got",
    "request",
  ),
  seen(
    /\bhttps?\.request\([^;]{0,200}\bpost\b|\bsendbeacon\(|\bnew xmlhttprequest\b/,
    "request",
    "sendbeacon",
    "xmlhttprequest",
  ),
  seen(
    /\b(?:invoke-(?:restmethod|webrequest)|irm|iwr)\b[^\n]{0,200}\s-(?:method\s{1,3}["']?(?:post|put)|body|infile)\b|\.upload(?:string|file|data|values)\(/,
    "restmethod",
    "webrequest",
    "irm",
    "iwr",
    "uploadstring",
    "uploadfile",
    "uploaddata",
    "uploadvalues",
  ),
  seen(
    /(?:\||<)\s{0,3}(?:nc|ncat|netcat|socat|telnet)\b|\b(?:nc|ncat|netcat)\b[^\n]{0,60}\s\d{2,5}\s{0,3}</,
    "nc",
    "ncat",
    "netcat",
    "socat",
    "telnet",
  ),
  seen(/>\s{0,3}\/dev\/(?:tcp|udp)\//, "tcp", "udp"),
  seen(
    /\|\s{0,3}(?:mail|mailx|sendmail|mutt|msmtp|swaks)\b|\bsmtplib\.|\.sendmail\(|\bsend-mailmessage\b|\bsend_email\b/,
    "mail",
    "mailx",
    "sendmail",
    "mutt",
    "msmtp",
    "swaks",
    "smtplib",
    "mailmessage",
    "email",
  ),
  seen(/\bgh gist create\b|\bapi\.github\.com\/gists\b/, "gist", "gists"),
  seen(/\burlopen\(\s?["'][^"'\n]{4,120}["'],\s?[a-z]/, "urlopen"),
  seen(/\bsftp\b[^\n]{0,60}\s[\w.-]{1,40}@[\w.-]{3}/, "sftp"),
  seen(/\baws\ss3\s(?:cp|sync|mv)\b[^\n]{0,120}\ss3:\/\//, "s3"),
  seen(/\bgsutil\b[^\n]{0,40}\b(?:cp|rsync)\b[^\n]{0,80}\sgs:\/\//, "gsutil"),
  where(
    seen(
      /\b(?:scp|sftp|rsync)\b[^\n]{0,120}\s["']?[\w.@$-]{3,80}:|\brclone\s(?:copy|sync|copyto|move)\b/,
      "rsync",
      "scp",
      "sftp",
      "rclone",
    ),
    ({ lower }, { end }) => !comesHere.test(lower.slice(end, end + 240)),
  ),
  seen(
    /\|\s{0,3}ssh\b[^\n]{0,60}\s[\w.@-]{3,80}|\bftplib\b|\.storbinary\(|\blftp\b|\bwormhole send\b|\bcroc send\b/,
    "ssh",
    "ftplib",
    "storbinary",
    "lftp",
    "send",
  ),
  seen(/\baz\sstorage\sblob\supload\b|\.upload_file(?:obj)?\(/, "blob", "upload"),
);

/** Any call to another machine in which something can be put, also into its address. */
export const calls = any(
  uploads,
  seen(
    /\b(?:curl(?:\.exe)?|wget|invoke-restmethod|invoke-webrequest|irm|iwr)\b[^\n|;]{0,60}/,
    "curl",
    "wget",
    "invoke",
    "irm",
    "iwr",
  ),
  seen(
    /\b(?:requests|httpx|session|client|axios|got|https?|superagent|httparty|faraday)\.(?:get|request|head)\(|\burlopen\(|\bfetch\(|\buri\.open\(|\bnet::http\.get\b/,
    "get",
    "request",
    "head",
    "urlopen",
    "fetch",
    "uri",
  ),
  // A name that is put together and looked up.
  seen(
    /\b(?:dig|nslookup|host|ping6?|drill|resolve-dnsname|gethostbyname|getaddrinfo|dns\.(?:lookup|resolve\w{0,4}))\b[^\n]{0,80}(?:\$|\{|\+)/,
    ..."dig nslookup host ping ping6 drill dnsname gethostbyname getaddrinfo dns".split(" "),
  ),
  // An address that is put together while the program runs.
  seen(/\bhttps?:\/\/[^\s"'`]{4,160}[?=/][^\s"'`]{0,40}(?:\$?\{|["'`]\s?\+\s?\w|\$\(|\$\w)/, "http", "https"),
  alongside(
    seen(
      /\b(?:r|req|request|sock|socket|conn|connection|client)\.(?:end|write|send|sendall)\(\s?[a-z]/,
      "end",
      "write",
      "send",
      "sendall",
    ),
    seen(
      /\brequest\(|\bnet\.(?:connect|createconnection)\(|\bsocket\.socket\(|\bcreate_connection\(/,
      "request",
      "net",
      "socket",
      "connection",
    ),
  ),
  seen(
    /\bnew image\(\)\.src\s?=|\bsocket\.(?:send|sendall|write)\(|\b(?:s|sock|conn)\.sendall?\(/,
    "image",
    "send",
    "sendall",
    "socket",
  ),
);

const verbs = "(?:send|forward|post|upload|transmit|submit|email|report)";

/** Sentences that have what the user works on sent to an address that stands there. */
export const contentSent = several(
  ["http", "https"],
  new RegExp(
    String.raw`\b${verbs}\b[^.\n]{0,40}\b(?:generated\scode|stack\strace|source\scode|codebase|conversation|transcript|file\scontents?)\b[^.\n]{0,60}["'\x60<(\s]https?:\/\/`,
  ),
  new RegExp(
    String.raw`\b${verbs}\b[^.\n]{0,40}\buser'?s?\s(?:prompts?|messages?|files|inputs?|data|queries)\b[^.\n]{0,60}["'\x60<(\s]https?:\/\/`,
  ),
);
