/** Lines of at most `width` characters: broken at a blank where there is one, else inside a word. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && lengthOf(line) + 1 + lengthOf(word) > width) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
    while (lengthOf(line) > width) {
      const characters = Array.from(line);
      lines.push(characters.slice(0, width).join(""));
      line = characters.slice(width).join("");
    }
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}

function lengthOf(text: string): number {
  return text.length <= 1 ? text.length : Array.from(text).length;
}
