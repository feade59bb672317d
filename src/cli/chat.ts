import { createInterface } from "node:readline";
import { agentPlaces } from "../features/agent/agent-places.ts";
import { type ModelSource, openModelSource } from "../features/agent/agent-source.ts";
import { openAgent } from "../features/agent/open-agent.ts";
import { openTypedLines } from "../features/agent/typed-lines.ts";
import { type Environment, readEnvironment } from "../app/config/config.ts";
import { createWorld, type World } from "../app/world/world.ts";
import type { CallAsked } from "../agent/loop/caller.ts";
import type { Agent } from "../agent/agent.ts";
import { ChatTerminal } from "../terminal/chat/chat-terminal.ts";
import { runPlain } from "../terminal/chat/plain.ts";
import { listOption, textOption, typedAgain } from "../features/command/call.ts";
import { type Call, type ExitCode, exit } from "../features/command/command.ts";
import type { Output } from "../features/command/output.ts";
import { isAtTerminal, type OwnTerminal, ownTerminal } from "./own-terminal.ts";
import { renderFindings } from "../features/command/render.ts";

export async function run(call: Call, output: Output): Promise<ExitCode> {
  const environment = readEnvironment();
  const world = createWorld();
  const data = textOption(call, "data");
  const asked = { model: textOption(call, "model"), configuration: textOption(call, "config") };
  const source = await openModelSource(world, environment, asked, data === undefined ? {} : { data });
  const terminal = ownTerminal(output);
  try {
    const isTyped = textOption(call, "print") === undefined && call.options["json"] !== true && isAtTerminal();
    const room = { call, output, environment, world, source };
    return await (isTyped ? chatAtTerminal(room, terminal) : answerPlainly(room));
  } finally {
    await source.close();
    const signal = terminal.interruptedBy();
    // All is tidied up: it ends as if nobody had caught the signal, so that whoever sent it knows.
    if (signal !== null) process.kill(process.pid, signal);
  }
}

interface Room {
  readonly call: Call;
  readonly output: Output;
  readonly environment: Environment;
  readonly world: World;
  readonly source: ModelSource;
}

async function chatAtTerminal(room: Room, terminal: OwnTerminal): Promise<ExitCode> {
  const { output, environment, world, call } = room;
  const chat = new ChatTerminal(terminal);
  const agent = await open(room, (asked) => chat.ask(asked));
  const typed = await openTypedLines(world.files, agentPlaces(environment, textOption(call, "data")).lines);
  let how: "left" | "ended";
  try {
    const isKept = call.options["keep"] !== false;
    how = await chat.run(agent, { history: typed.lines, ...(isKept && { onHistory: (line) => typed.add(line) }) });
  } finally {
    await agent.close();
    await typed.saved();
  }
  if (agent.state.messages > 0 && call.options["keep"] !== false)
    output.note(
      output.style(
        "dim",
        `Kept: skillward chat${typedAgain(call, ["config", "model", "dir", "data"])} --resume ${agent.state.conversation}`,
      ),
    );
  return how === "left" ? exit.fine : exit.broken;
}

/** For a pipe and for `--print`: nobody can be asked, so that what would have to be is denied (AG-2, SC-7). */
function answerPlainly(room: Room): Promise<ExitCode> {
  const { call, output } = room;
  return output.untilInterrupted(async (signal) => {
    const agent = await open(room, null);
    const isJson = call.options["json"] === true;
    try {
      if (!isJson) for (const line of renderFindings(agent.findings, output.style)) output.note(line);
      const print = textOption(call, "print");
      const isRaw = call.options["raw"] === true && !process.stdout.isTTY;
      const lines = print ?? createInterface({ input: process.stdin, terminal: false });
      const failed = await runPlain(
        agent,
        lines,
        { text: (text) => process.stdout.write(text), note: (line) => output.note(output.style("dim", line)) },
        { json: isJson, visible: !isRaw, signal },
      );
      return failed ? exit.findings : exit.fine;
    } finally {
      await agent.close();
    }
  });
}

function open(room: Room, ask: ((asked: CallAsked) => Promise<boolean>) | null): Promise<Agent> {
  const { call, environment, world, source } = room;
  const { options } = call;
  const resume = options["resume"];
  return openAgent(world, environment, {
    folder: textOption(call, "dir") ?? ".",
    model: source.model,
    findings: source.findings,
    stored: source,
    trustWorkspace: options["trustWorkspace"] === true,
    inject: options["inject"] === "bodies" ? "bodies" : "catalogue",
    allow: listOption(call, "allow") ?? [],
    hold: listOption(call, "hold") ?? [],
    ask,
    allowContracts: options["contracts"] === true,
    resume: typeof resume === "string" ? resume : resume === true,
    keep: options["keep"] !== false,
    watch: ask !== null,
    data: textOption(call, "data"),
  });
}
