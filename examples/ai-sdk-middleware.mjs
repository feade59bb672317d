// Skills in every call of an AI SDK model: `npm install ai`, then `node examples/ai-sdk-middleware.mjs`
import { fileURLToPath } from "node:url";
import { generateText, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { compose, loadSkills, skillwardMiddleware } from "skillward/compose";

// Instead of a real one, a model that needs no network and says what it was given.
const listener = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => ({
    content: [{ type: "text", text: prompt.map(sayTurn).join("\n") }],
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: {}, outputTokens: {} },
    warnings: [],
  }),
});

const folder = fileURLToPath(new URL("skills", import.meta.url));
const { skills } = await loadSkills(folder, { names: ["web-accessibility-audit"] });
const composition = compose(skills, { key: "the secret of this example" });

const model = wrapLanguageModel({ model: listener, middleware: skillwardMiddleware(composition) });
const { text } = await generateText({ model, system: "Be brief.", prompt: "Check our sign-in page." });
console.log(text);
for (const { level, code, message } of composition.findings) console.log(`${level} ${code}: ${message}`);

function sayTurn({ role, content }) {
  const parts = typeof content === "string" ? [{ text: content }] : content;
  return parts
    .map((part) => `${role}: ${part.text.length} characters, ends in ${JSON.stringify(part.text.slice(-24))}`)
    .join("\n");
}
