import type { CurvePoint } from "../../../routing/evaluation/outcome.ts";
import type { RoutingReport } from "../../../routing/evaluation/report.ts";
import { html, type Markup, percent } from "./html.ts";

const width = 480;
const height = 330;
const [left, bottom, top, right] = [48, 40, 10, 16];

/** A point that can be drawn. */
interface Place {
  readonly fires: number;
  readonly coverage: number;
}

/** How many positives are answered for how many wrong answers to negatives, as the floor goes down. */
export function renderCurve({ curve, abstention }: RoutingReport): Markup {
  const title = html`<h2>Answered against wrongly answered</h2>`;
  if (abstention.negatives === 0)
    return html`<section>${title}<p class="soft small">No line of the golden file says where no skill fits: false fires are not measured.</p></section>`;
  const places = curve.points.flatMap(placeOf).toSorted((a, b) => a.fires - b.fires || a.coverage - b.coverage);
  const [now] = placeOf(curve.default);
  const widest = Math.min(1, Math.max(0.25, Math.ceil(Math.max(...places.map(({ fires }) => fires), 0) * 10) / 10));
  const scale = new Scale(widest);
  return html`<section>${title}
<p class="soft small">Each point is a floor: left is silent, right fires at everything. ${below80(abstention)}</p>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="coverage against false fires">
${renderGrid(scale)}
<path class="area" d="${scale.areaOf(places)}"/><path class="curve" d="${scale.lineOf(places)}"/>
${curve.points.map((point) => renderHover(scale, point))}
${now === undefined ? html`` : renderDefault(scale, now, curve.default.threshold)}
</svg></section>`;
}

function placeOf({ coverage, falseFires }: CurvePoint): Place[] {
  return falseFires === null ? [] : [{ fires: falseFires, coverage }];
}

function below80({ atCoverage80 }: RoutingReport["abstention"]): string {
  if (atCoverage80 === null) return "";
  const { threshold, coverage, falseFires } = atCoverage80;
  return `With a floor of ${threshold.toFixed(2)}, ${percent(coverage)} are answered for ${percent(falseFires)} false fires.`;
}

/** From shares to places of the picture. */
class Scale {
  readonly widest: number;

  constructor(widest: number) {
    this.widest = widest;
  }

  x(fires: number): number {
    return Number((left + (fires / this.widest) * (width - left - right)).toFixed(1));
  }

  y(coverage: number): number {
    return Number((top + (1 - coverage) * (height - top - bottom)).toFixed(1));
  }

  lineOf(places: readonly Place[]): string {
    return places
      .map(({ fires, coverage }, at) => `${at === 0 ? "M" : "L"}${this.x(fires)} ${this.y(coverage)}`)
      .join("");
  }

  areaOf(places: readonly Place[]): string {
    const [first, last] = [places[0], places.at(-1)];
    if (first === undefined || last === undefined) return "";
    return `${this.lineOf(places)}L${this.x(last.fires)} ${this.y(0)}L${this.x(first.fires)} ${this.y(0)}Z`;
  }
}

const shares = [0, 0.2, 0.4, 0.6, 0.8, 1];

function renderGrid(scale: Scale): Markup {
  const across = shares.map(
    (share) =>
      html`<line class="grid" x1="${left}" x2="${width - right}" y1="${scale.y(share)}" y2="${scale.y(share)}"/><text class="end" x="${left - 8}" y="${scale.y(share) + 4}">${Math.round(share * 100)} %</text>`,
  );
  const along = shares.map((share) => {
    const fires = share * scale.widest;
    return html`<text class="middle" x="${scale.x(fires)}" y="${height - bottom + 18}">${Number((fires * 100).toFixed(0))} %</text>`;
  });
  return html`${across}${along}<text class="middle" x="${(left + width - right) / 2}" y="${height - 3}">false fires: negatives that got a wrong skill</text>
<text x="${left + 8}" y="${top + 14}">answered positives</text>`;
}

function renderHover(scale: Scale, point: CurvePoint): Markup {
  const [place] = placeOf(point);
  if (place === undefined || place.fires > scale.widest) return html``;
  const title = `floor ${point.threshold.toFixed(2)}: ${percent(point.coverage)} answered, ${percent(point.falseFires)} false fires`;
  return html`<circle class="one" cx="${scale.x(place.fires)}" cy="${scale.y(place.coverage)}" r="1.8"><title>${title}</title></circle>`;
}

function renderDefault(scale: Scale, { fires, coverage }: Place, floor: number): Markup {
  const [cx, cy] = [scale.x(Math.min(fires, scale.widest)), scale.y(coverage)];
  const isRight = cx > width * 0.6;
  const [at, side] = isRight ? [cx - 12, "end"] : [cx + 12, ""];
  const lower = cy + 30 > height - bottom ? cy - 22 : cy + 18;
  return html`<circle class="point" cx="${cx}" cy="${cy}" r="6.5"/><text class="strong ${side}" x="${at}" y="${lower}">in use: floor ${floor.toFixed(2)}</text><text class="${side}" x="${at}" y="${lower + 15}">${percent(coverage)} answered, ${percent(fires)} false</text>`;
}
