import { useEffect, useRef, useState } from "preact/hooks";
import { bandAt, type Frame, frameOf, pathOf, stacksOf } from "./chart-shape.ts";

interface Series {
  readonly name: string;
  /** One for each label; null: nothing is known there. */
  readonly values: readonly (number | null)[];
  /** Which of the four colours; without it, in their order. */
  readonly colour?: 1 | 2 | 3 | 4;
}

interface ChartProps {
  /** What it shows, in one line. */
  readonly title: string;
  /** `bar` stacks its series; `area` is a line whose ground is coloured. */
  readonly kind: "line" | "area" | "bar";
  /** What stands below, from left to right. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  /** The top of the axis, where it is known, such as 1 for a share. */
  readonly most?: number;
  readonly height?: number;
}

const plain = (value: number) => new Intl.NumberFormat("en").format(value);

/** A chart that is drawn here, with all that it shows as a table, too. */
export function Chart({ title, kind, labels, series, format = plain, most, height = 168 }: ChartProps) {
  const [own, width] = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const isStacked = kind === "bar";
  const frame = frameOf({
    width,
    height,
    count: labels.length,
    isStacked,
    most,
    series: series.map((each) => each.values),
  });
  const point = (event: PointerEvent) => setAt(bandAt(frame, event.offsetX));
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <span class="unseen">{title}</span>
        <Legend series={series} at={at} label={at === null ? undefined : labels[at]} format={format} />
      </figcaption>
      <div ref={own}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={title}
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
        >
          <Axes frame={frame} labels={labels} format={format} />
          {at !== null && <rect class="chart-at" {...bandRect(frame, at)} />}
          {isStacked ? (
            <Bars frame={frame} series={series} />
          ) : (
            <Lines frame={frame} series={series} isArea={kind === "area"} />
          )}
        </svg>
      </div>
      <ChartTable title={title} labels={labels} series={series} format={format} />
    </figure>
  );
}

function colourOf({ colour }: Series, index: number): string {
  return `chart-${colour ?? (index % 4) + 1}`;
}

function Legend({ series, at, label, format }: LegendProps) {
  return (
    <span class="chart-legend">
      {series.map((each, index) => (
        <span key={each.name}>
          <i class={colourOf(each, index)} /> {each.name}
          {at !== null && <b> {shown(each.values[at], format)}</b>}
        </span>
      ))}
      {label !== undefined && <span class="faint">{label}</span>}
    </span>
  );
}

interface LegendProps {
  readonly series: readonly Series[];
  readonly at: number | null;
  readonly label: string | undefined;
  readonly format: (value: number) => string;
}

function shown(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

function Axes({
  frame,
  labels,
  format,
}: {
  frame: Frame;
  labels: readonly string[];
  format: (value: number) => string;
}) {
  return (
    <g class="chart-axes">
      {frame.ticks.map((tick) => (
        <g key={tick}>
          <line x1={frame.left} x2={frame.right} y1={frame.y(tick)} y2={frame.y(tick)} />
          <text x={frame.left - 6} y={frame.y(tick) + 4} text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {frame.named.map((index) => (
        <text key={index} x={frame.x(index)} y={frame.bottom + 16} text-anchor="middle">
          {labels[index]}
        </text>
      ))}
    </g>
  );
}

function bandRect({ x, band, top, bottom }: Frame, at: number) {
  return { x: x(at) - band / 2, y: top, width: band, height: bottom - top };
}

function Bars({ frame, series }: { readonly frame: Frame; readonly series: readonly Series[] }) {
  const wide = Math.max(1, Math.min(26, frame.band * 0.68));
  return (
    <>
      {stacksOf(series.map(({ values }) => values)).map(({ column, of, from, to }) => (
        <rect
          key={`${column} ${of}`}
          class={colourOf(series[of] ?? { name: "", values: [] }, of)}
          x={frame.x(column) - wide / 2}
          width={wide}
          y={frame.y(to)}
          height={Math.max(0, frame.y(from) - frame.y(to))}
        />
      ))}
    </>
  );
}

function Lines({ frame, series, isArea }: { frame: Frame; series: readonly Series[]; isArea: boolean }) {
  return (
    <>
      {series.map((each, index) => (
        <g key={each.name} class={colourOf(each, index)}>
          {isArea && <path class="chart-area" d={pathOf(frame, each.values, true)} />}
          <path class="chart-line" d={pathOf(frame, each.values, false)} />
          {each.values.map((value, column) =>
            value === null || each.values.length > 40 ? null : (
              <circle key={column} cx={frame.x(column)} cy={frame.y(value)} r="2.4" />
            ),
          )}
        </g>
      ))}
    </>
  );
}

type TableProps = Required<Pick<ChartProps, "title" | "labels" | "series" | "format">>;

function ChartTable({ title, labels, series, format }: TableProps) {
  return (
    <details class="chart-table">
      <summary>As a table</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
        <table class="table">
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">When</span>
              </th>
              {series.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, row) => (
              <tr key={`${row} ${label}`}>
                <th scope="row">{label}</th>
                {series.map(({ name, values }) => (
                  <td key={name} class="number">
                    {shown(values[row], format)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** As wide as there is room: text in a picture that is stretched is not read well. */
function useWidth() {
  const own = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = own.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(160, Math.floor(element.clientWidth))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [own, width] as const;
}
