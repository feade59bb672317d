/**
 * Splits a string of tools the way authors write them, at commas and white space but never inside parentheses
 * (SK-9): `Bash(git add *), Read` is two, and so is `Read Grep`.
 */
export function splitTools(text: string): string[] {
  const tools: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text.charAt(at);
    if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
    const ends = at === text.length || (depth === 0 && /[\s,]/.test(char));
    if (!ends) continue;
    if (at > start) tools.push(text.slice(start, at).trim());
    start = at + 1;
  }
  return tools.filter((tool) => tool !== "");
}
