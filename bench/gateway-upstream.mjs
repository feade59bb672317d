/** A model service that costs as little as one can: every answer is ready. Run as a process of its own. */
import { createServer } from "node:http";

const chunks = Number(process.argv[2] ?? 500);
const event = (text) => `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
const events = Array.from({ length: chunks }, (_, at) => Buffer.from(event(`word ${at} `)));
const answer = Buffer.from(
  JSON.stringify({
    id: "c",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "ok" } }],
  }),
);

const server = createServer((request, response) => {
  let isStream = false;
  request.on("data", (chunk) => (isStream ||= chunk.includes('"stream":true')));
  request.on("end", () => (isStream ? stream(response) : plain(response)));
});

function plain(response) {
  response.writeHead(200, { "content-type": "application/json", "content-length": answer.length }).end(answer);
}

/** Each event by itself, as a model says them; as fast as the reader takes them. */
function stream(response) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let at = 0;
  const next = () => {
    if (response.destroyed) return;
    if (at === events.length) return void response.end("data: [DONE]\n\n");
    if (response.write(events[at++])) setImmediate(next);
    else response.once("drain", next);
  };
  next();
}

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
