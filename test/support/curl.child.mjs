/** As much of curl as the documentation uses, for machines that have none: `-sS -H -d -D -o <url>`. */
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { argv, stdout } from "node:process";
import { buffer } from "node:stream/consumers";

const given = { url: "", headers: { "user-agent": "curl/none", accept: "*/*" } };
const flags = {
  "-H": (header) => Object.assign(given.headers, Object.fromEntries([header.split(": ", 2)])),
  "-d": (body) => Object.assign(given, { body }),
  "-D": (heading) => Object.assign(given, { heading }),
  "-o": (to) => Object.assign(given, { to }),
};
for (let at = 2; at < argv.length; at++) {
  const flag = flags[argv[at]];
  if (flag !== undefined) flag(argv[++at]);
  else if (!argv[at].startsWith("-")) given.url = argv[at];
}

const { url, headers, body, heading, to } = given;
const answer = await new Promise((resolve, reject) => {
  const method = body === undefined ? "GET" : "POST";
  request(url, { method, headers }, resolve).on("error", reject).end(body);
});
const lines = answer.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}\r\n`] : []));
if (heading !== undefined) writeFileSync(heading, `HTTP/1.1 ${answer.statusCode}\r\n${lines.join("")}\r\n`);
const bytes = await buffer(answer);
if (to === undefined) stdout.write(bytes);
else writeFileSync(to, bytes);
