// Draws what a command really prints as an SVG: node scripts/terminal-picture.mjs <out.svg> <command line shown> -- <argv…>
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

// oxlint-disable no-control-regex
const colours = { 31: "#ff7b72", 32: "#56d364", 33: "#e3b341", 36: "#76e3ea" };
const [left, top, lineHeight, charWidth] = [24, 58, 20, 7.83];

function picture(lines) {
  const columns = Math.max(...lines.map((line) => line.replaceAll(/\u001b\[\d+m/g, "").length));
  const [width, height] = [Math.ceil(columns * charWidth) + 2 * left, lines.length * lineHeight + top + 12];
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, at) => `<circle cx="${26 + at * 20}" cy="22" r="6" fill="${fill}"/>`,
  );
  const rows = lines.map((line, at) => `<text x="${left}" y="${top + at * lineHeight}">${spans(line)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(shown)}">
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
${dots.join("")}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#e6edf3" xml:space="preserve">
${rows.join("\n")}
</g>
</svg>
`;
}

/** Only the codes our output uses: colours, bold, dim and their ends. */
function spans(line) {
  const style = {};
  return line
    .split(/(\u001b\[\d+m)/)
    .map((part) => {
      const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
      if (code === undefined) return part === "" ? "" : `<tspan${attributes(style)}>${escape(part)}</tspan>`;
      apply(style, Number(code));
      return "";
    })
    .join("");
}

function apply(style, code) {
  if (code === 1) style["font-weight"] = "bold";
  else if (code === 2) style.fill = "#7d8590";
  else if (code in colours) style.fill = colours[code];
  else if (code === 22) delete style["font-weight"];
  if (code === 22 || code === 39) delete style.fill;
}

function attributes(style) {
  return Object.entries(style)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("");
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const [out, shown, , ...argv] = process.argv.slice(2);
const { stdout } = spawnSync(argv[0], argv.slice(1), { encoding: "utf8", env: { ...process.env, FORCE_COLOR: "1" } });
writeFileSync(out, picture([`\u001b[2m$\u001b[22m ${shown}`, ...stdout.trimEnd().split("\n")]));
