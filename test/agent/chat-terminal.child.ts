// A chat with an agent that does the same every time, at the terminal that this process has.
import { createWorld } from "../../src/app/world/world.ts";
import { ChatTerminal } from "../../src/terminal/chat/chat-terminal.ts";
import type { AgentEvent } from "../../src/agent/agent-event.ts";
import { answered, ended, scriptedAgent } from "./chat-agent.ts";

const { stdin: input, stdout: output } = process;
const chat = new ChatTerminal({
  input,
  output,
  colours: process.env["NO_COLOR"] === undefined,
  timer: createWorld().timer,
  onResize: (listener) => {
    output.on("resize", listener);
    return () => void output.off("resize", listener);
  },
  onInterrupt: (listener) => {
    process.on("SIGTERM", listener);
    return () => void process.off("SIGTERM", listener);
  },
  onContinue: (listener) => {
    process.on("SIGCONT", listener);
    return () => void process.off("SIGCONT", listener);
  },
  suspend: () => void process.kill(0, "SIGTSTP"),
});

const items = [
  { text: "/skills", about: "lists the skills" },
  { text: "/skills reload", about: "reads them again" },
  { text: "/skills:pdf", about: "works with PDF files, however many pages they have, and fills in forms" },
  { text: "/skills:review", about: "reviews a change" },
];

async function* script(line: string, signal: AbortSignal): AsyncIterable<AgentEvent> {
  if (line === "/exit") yield { type: "leave" };
  else if (line === "/pid") yield { type: "reply", command: "/pid", reply: { title: `pid ${process.pid}` } };
  else if (line === "/help")
    yield {
      type: "reply",
      command: "/help",
      reply: {
        title: "commands",
        rows: items.map(({ text, about }) => ({ name: text, about })),
        notes: ["Tab completes."],
      },
    };
  else if (line === "wait") {
    yield { type: "text", text: "a beginning" };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    yield { type: "turn.ended", end: "cancelled" };
  } else if (line === "work") yield* work(signal);
  else yield* answered("# You said\n\n", line, "\n\n- one\n- two\n```\ncode\n```\n");
}

async function* work(signal: AbortSignal): AsyncIterable<AgentEvent> {
  yield { type: "text", text: "I look first." };
  yield { type: "tool.started", call: "1", tool: "read", input: '{"path":"src/a.ts"}' };
  yield { type: "tool.ended", call: "1", tool: "read", content: "a\nb\nc", isError: false };
  yield { type: "tool.started", call: "2", tool: "shell", input: '{"command":"npm test"}' };
  yield { type: "tool.asked", call: "2", tool: "shell", why: "commands are asked for" };
  const isAllowed = await chat.ask({
    id: "primary",
    tool: "shell",
    input: { command: "npm test" },
    why: "commands are asked for",
    signal,
  });
  if (isAllowed)
    yield { type: "tool.ended", call: "2", tool: "shell", content: "Exit code 0.\n42 tests passed", isError: false };
  else
    yield { type: "tool.denied", call: "2", tool: "shell", code: "TOOL_NOT_ALLOWED", why: "it needs a person's word" };
  yield* answered("Done.");
  yield ended;
}

const { agent } = scriptedAgent(script, {}, items);
output.write(`\n${await chat.run(agent)}\n`);
