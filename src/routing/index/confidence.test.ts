import { describe, expect, it } from "vitest";
import { sha256 } from "../../core/digest.ts";
import type { Document } from "./lexical-index.ts";
import { createIndex } from "./segmented-index.ts";
import { buildSegment } from "./segment.ts";

function documentOf(name: string, description: string): Document {
  const body = `# ${name.replaceAll("-", " ")}\n${description}\nWork through it step by step and show the result.`;
  const declared = { kind: "tool", triggers: [], aliases: [], paths: [] } as const;
  return { digest: sha256(Buffer.from(name)), name, description, body, declared };
}

const shelf = [
  documentOf("pdf-merge", "Merges several PDF files into one document. Use it to combine or join PDFs."),
  documentOf("terraform-review", "Reviews Terraform plans, finds drift between state and infrastructure."),
  documentOf("sourdough-troubleshooting", "Explains why a sourdough loaf is dense, sour or flat, and what to change."),
  documentOf("git-history-cleanup", "Rewrites a git branch into clean commits before review: squash, reword, reorder."),
  documentOf("meeting-minutes", "Turns a transcript of a meeting into minutes with decisions and open tasks."),
];
const index = createIndex([buildSegment(shelf)]);

function sure(query: string): number {
  const found = index.search(query, { limit: 5, allows: () => true });
  return found.reduce((sum, { confidence }) => sum + confidence, 0);
}

describe("RT-3: confidence is absolute", () => {
  it.each([
    ["combine these PDF files into one document", "pdf-merge"],
    ["find drift in my terraform plan", "terraform-review"],
    ["why is my sourdough loaf so dense", "sourdough-troubleshooting"],
    ["squash and reorder the commits of my git branch", "git-history-cleanup"],
  ])("is high where it fits: %s", (query, name) => {
    const [first] = index.search(query, { limit: 5, allows: () => true });
    expect(first?.digest).toBe(sha256(Buffer.from(name)));
    expect(first?.confidence).toBeGreaterThan(0.6);
  });

  it.each([
    "could you tell me what time it is",
    "thanks a lot, this is lovely",
    "continue please",
    "tell me a joke",
    "你好，今天天气怎么样？",
    "Guten Morgen, wie geht es dir?",
    "which city is the capital of Portugal",
    "book a flight to Lisbon in March",
  ])("is low in a small registry where nothing fits: %s", (query) => {
    expect(sure(query)).toBeLessThan(0.3);
  });

  it("adds up to no more than 1, and look-alikes share it", () => {
    const copy = { ...documentOf("pdf-merge", shelf[0]?.description ?? ""), digest: sha256(Buffer.from("copy")) };
    const both = createIndex([buildSegment([...shelf, copy])]);
    const [first, second] = both.search("combine these PDF files into one document", { limit: 5, allows: () => true });
    expect(first?.confidence).toBe(second?.confidence);
    expect(first?.confidence).toBeGreaterThan(0.6);
    expect(sure("review pdf terraform git meeting")).toBeLessThanOrEqual(1 + 1e-9);
  });
});
