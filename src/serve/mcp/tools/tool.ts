import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Asked, Library } from "../library.ts";

/** A tool for hosts that do not know the extension. Its texts are ours: no word of a skill is in them (invariant 2). */
export interface SkillTool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  run(library: Library, asked: Asked, input: z.infer<Input>, signal: AbortSignal): Promise<CallToolResult>;
}

/** Keeps the types of one tool together. */
export function skillTool<Input extends z.ZodType>(tool: SkillTool<Input>): SkillTool<Input> {
  return tool;
}

export function textResult(...texts: readonly string[]): CallToolResult {
  return { content: texts.map((text) => ({ type: "text", text })) };
}
