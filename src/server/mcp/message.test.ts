import { ProtocolError } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { AppError } from "../../core/error.ts";
import { answering } from "./message.ts";

async function refusalOf(error: unknown): Promise<{ code: number; message: string; logged: unknown[] }> {
  const logged: unknown[] = [];
  const log = { failure: (_request: string, fault: unknown) => void logged.push(fault) };
  const act = async () => {
    throw error;
  };
  try {
    await answering(log, act);
  } catch (refused) {
    if (refused instanceof ProtocolError) return { code: refused.code, message: refused.message, logged };
  }
  throw new Error("it was not refused");
}

describe("SV-8: what a host is told of a failure", () => {
  test("is our own words where they are for it, and no word of an error that nobody foresaw", async () => {
    const missing = new AppError("record.missing", "there is no such skill");
    expect(await refusalOf(missing)).toEqual({ code: -32602, message: "there is no such skill", logged: [] });
    for (const fault of [
      new Error("ENOENT /home/ada/.config/keys.json"),
      new AppError("store.failed", "postgres://ada:secret@db"),
    ]) {
      const { code, message, logged } = await refusalOf(fault);
      expect([code, logged]).toEqual([-32603, [fault]]);
      expect(message).toMatch(/its log says why/);
      expect(message).not.toMatch(/ada|secret|keys/);
    }
  });

  test("is what the protocol says already, as it is", async () => {
    expect(await refusalOf(new ProtocolError(-32002, "gone"))).toEqual({ code: -32002, message: "gone", logged: [] });
  });
});
