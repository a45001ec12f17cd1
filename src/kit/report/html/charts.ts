/** Pictures as SVG: a line over two axes, and stacked bars. Each says in words what it shows. */
import { html, type Markup } from './markup.ts';

const WIDTH = 720;
const HEIGHT = 272;
const LEFT = 64;
const RIGHT = 32;
/** Room for the label above the highest number, also in the large letters of narrow screens. */
const TOP = 34;
const BOTTOM = 48;

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** To be marked, with what is said about it. */
  readonly mark?: string | undefined;
}

export interface Axis {
  readonly label: string;
  /** How its numbers are written. */
  readonly format: (value: number) => string;
}

/** About how many lines stand between the ends of an axis. */
const MOST_TICKS = 5;
const ROUND = [1, 2, 5, 10];

/** Round numbers from `low` to `high`. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low || 1) / MOST_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ROUND.find((one) => one * power >= rough)!;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => (first + k) * step);
}

const place = (value: number): string => value.toFixed(1);

/** A line through points in the order of x. @param what a sentence for who does not see it */
export function lineChart(what: string, points: readonly ChartPoint[], x: Axis, y: Axis): Markup {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(0, ...ys), Math.max(...ys)];
  const across = (value: number): number =>
    LEFT + ((value - least) / (most - least || 1)) * (WIDTH - LEFT - RIGHT);
  const up = (value: number): number =>
    HEIGHT - BOTTOM - ((value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const path = points.map(
    (point, k) => `${k === 0 ? 'M' : 'L'}${place(across(point.x))} ${place(up(point.y))}`,
  );
  const marks = points.flatMap((point) =>
    point.mark === undefined
      ? []
      : html`<circle class="point" cx="${place(across(point.x))}" cy="${place(up(point.y))}" r="5"><title>${point.mark}</title></circle>`,
  );
  const foot = HEIGHT - BOTTOM;
  const lines = ticks(low, high).map(
    (value) => html`<path class="grid" d="M${LEFT} ${place(up(value))}H${WIDTH - RIGHT}"/>
<text x="${LEFT - 6}" y="${place(up(value) + 4)}" text-anchor="end">${y.format(value)}</text>
`,
  );
  const stops = ticks(least, most).map(
    (value) =>
      html`<text x="${place(across(value))}" y="${foot + 18}" text-anchor="middle">${x.format(value)}</text>
`,
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${what}">
${lines}${stops}<path class="axis" d="M${LEFT} ${TOP}V${foot}H${WIDTH - RIGHT}" fill="none"/>
<text x="4" y="${TOP - 18}">${y.label}</text>
<text x="${WIDTH - RIGHT}" y="${HEIGHT - 4}" text-anchor="end">${x.label}</text>
<path class="curve" d="${path.join('')}"/>${marks}
</svg>
`;
}

/** A part of a bar: its share of the whole, from 0 to 1. */
export interface BarPart {
  readonly kind: 'used' | 'kept';
  readonly share: number;
}

const BAR_WIDTH = 100;
const BAR_HEIGHT = 6;
const GAP = 2;

/** One bar below the other, all as long as the whole. @param what in words */
export function stackedBars(what: string, bars: readonly (readonly BarPart[])[]): Markup {
  const rows = bars.map((parts, row) => {
    const y = row * (BAR_HEIGHT + GAP);
    let x = 0;
    const rects = parts.map(({ kind, share }) => {
      const width = Math.max(0, Math.min(BAR_WIDTH - x, share * BAR_WIDTH || 0));
      const rect = html`<rect class="${kind}" x="${place(x)}" y="${y}" width="${place(width)}" height="${BAR_HEIGHT}"/>`;
      x += width;
      return rect;
    });
    return html`<rect class="free" y="${y}" width="${BAR_WIDTH}" height="${BAR_HEIGHT}"/>${rects}`;
  });
  const height = bars.length * (BAR_HEIGHT + GAP) - GAP;
  return html`<svg viewBox="0 0 ${BAR_WIDTH} ${height}" preserveAspectRatio="none" role="img" aria-label="${what}">${rows}</svg>`;
}
