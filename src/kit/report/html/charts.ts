/** Pictures as SVG: lines and columns over two axes, and stacked bars. Each says in words what it shows. */
import { type Content, html, type Markup } from './markup.ts';

const WIDTH = 420;
const HEIGHT = 230;
const LEFT = 46;
const RIGHT = 14;
const TOP = 30;
const BOTTOM = 40;
const FOOT = HEIGHT - BOTTOM;
/** Room that a number below the axis, and one beside it, takes. */
const ACROSS_ROOM = 46;
const UP_ROOM = 26;
/** A letter of a label, about. */
const LETTER = 6.5;
const LABEL_HEIGHT = 15;

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** Said where there is room, and where one points at it. */
  readonly label?: string | undefined;
  /** The chosen one: always named. */
  readonly isPicked?: boolean;
}

interface Axis {
  readonly label: string;
  readonly format: (value: number) => string;
  /** Gives small values more room: places go by the square root. */
  readonly isStretched?: boolean;
  /** Has no numbers between 1 and 2. */
  readonly isWhole?: boolean;
}

const ROUND = [1, 2, 5, 10];
const place = (value: number): string => value.toFixed(1);

/** Where the values of an axis stand, between two ends of the picture. */
function scale(low: number, high: number, { isStretched = false }: Axis, from: number, to: number) {
  const size = (value: number): number => (isStretched ? Math.sqrt(value - low) : value - low);
  return (value: number): number => from + (size(value) / (size(high) || 1)) * (to - from);
}

/** Round numbers that stand at least `room` apart. @param at where a value stands */
function ticks(
  low: number,
  high: number,
  { isStretched = false, isWhole = false }: Axis,
  at: (value: number) => number,
  room: number,
): number[] {
  const rough = (high - low || 1) * (room / Math.abs(at(high) - at(low) || room));
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = power * ROUND.find((one) => one * power >= rough * 0.999)!;
  const even = isWhole ? Math.max(1, round) : round;
  const first = Math.ceil(low / even);
  const all = Array.from(
    { length: Math.floor(high / even + 1e-9) - first + 1 },
    (_, k) => (first + k) * even,
  );
  // On a stretched axis the even ones leave much room free at its low end, and little at the other.
  const small = isStretched ? [even / 2, even / 5, even / 10, even / 20].filter((one) => one > low) : [];
  const kept: number[] = [];
  for (const one of [...all, ...small])
    if (kept.every((other) => Math.abs(at(one) - at(other)) >= room * 0.98)) kept.push(one);
  return kept.sort((a, b) => a - b);
}

/** The least and the largest; of more values than a call takes as arguments, too. */
export const spanOf = (values: readonly number[]): readonly [least: number, most: number] =>
  values.reduce<readonly [number, number]>(
    ([least, most], one) => [Math.min(least, one), Math.max(most, one)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );

interface Frame {
  readonly across: (value: number) => number;
  readonly up: (value: number) => number;
}

/** A picture with its axes. @param what a sentence for who does not see it */
function chart(
  what: string,
  [least, most]: readonly [number, number],
  [low, high]: readonly [number, number],
  x: Axis,
  y: Axis,
  draw: (frame: Frame) => Content,
): Markup {
  const across = scale(least, most, x, LEFT, WIDTH - RIGHT);
  const up = scale(low, high, y, FOOT, TOP);
  const lines = ticks(low, high, y, up, UP_ROOM).map(
    (
      value,
    ) => html`<path class="grid" d="M${LEFT} ${place(up(value))}H${WIDTH - RIGHT}"/><text x="${LEFT - 5}" y="${place(up(value) + 4)}" text-anchor="end">${y.format(value)}</text>
`,
  );
  const stops = ticks(least, most, x, across, ACROSS_ROOM).map(
    (
      value,
    ) => html`<path class="axis" d="M${place(across(value))} ${FOOT}v4"/><text x="${place(across(value))}" y="${FOOT + 17}" text-anchor="middle">${x.format(value)}</text>
`,
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${what}">
${lines}${stops}<path class="axis" d="M${LEFT} ${FOOT}H${WIDTH - RIGHT}"/>
<text class="name" x="2" y="12">${y.label}</text>
<text class="name" x="${WIDTH - RIGHT}" y="${HEIGHT - 4}" text-anchor="end">${x.label}${x.isStretched && ', by square root'}</text>
${draw({ across, up })}
</svg>
`;
}

/** How far above its point a label may stand; below it where that is less than nothing. */
const ABOVE = [9, 25, 41, 57, 73, -18, -34];
/** Where along its width a label is held against the line. */
const PARTS = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1];

/** How high the line is, at a place across. */
function lineAt(points: readonly ChartPoint[], { across, up }: Frame, at: number): number {
  const k = points.findIndex(({ x }) => across(x) >= at);
  const [from, to] = k < 1 ? [points.at(k)!, points.at(k)!] : [points[k - 1]!, points[k]!];
  const share = (at - across(from.x)) / (across(to.x) - across(from.x) || 1);
  return up(from.y) + (up(to.y) - up(from.y)) * Math.min(1, Math.max(0, share));
}

/**
 * Which labels have room beside their points, off the line: the picked one (even on it), the ends, the
 * others. @param name of the axis, in the corner
 */
function shownLabels(
  points: readonly ChartPoint[],
  frame: Frame,
  name: string,
): { readonly label: string; readonly isPicked: boolean; readonly x: number; readonly y: number }[] {
  const { across, up } = frame;
  const ends = [points[0], points.at(-1)];
  const rank = (one: ChartPoint): number => (one.isPicked ? 0 : ends.includes(one) ? 1 : 2);
  const afterName = 10 + name.length * LETTER;
  const taken: { readonly x: number; readonly y: number; readonly width: number }[] = [];
  return [...points]
    .sort((a, b) => rank(a) - rank(b))
    .flatMap((point) => {
      const { label, isPicked = false } = point;
      if (label === undefined) return [];
      const width = label.length * LETTER;
      const xAt = (y: number): number =>
        Math.min(
          Math.max(across(point.x) + 6, LEFT + 4, y < 12 + LABEL_HEIGHT ? afterName : 0),
          WIDTH - RIGHT - width,
        );
      const isFree = (y: number): boolean =>
        y >= LABEL_HEIGHT &&
        y < FOOT &&
        taken.every(
          (other) =>
            xAt(y) > other.x + other.width ||
            other.x > xAt(y) + width ||
            Math.abs(y - other.y) >= LABEL_HEIGHT * (point.isPicked || ends.includes(point) ? 1 : 2),
        );
      const isOffLine = (y: number): boolean =>
        PARTS.map((part) => lineAt(points, frame, xAt(y) + part * width)).every(
          (line) => line < y - LABEL_HEIGHT || line > y + 4,
        );
      const free = ABOVE.map((above) => up(point.y) - above).filter(isFree);
      const y = free.find(isOffLine) ?? (isPicked ? free[0] : undefined);
      if (y === undefined) return [];
      taken.push({ x: xAt(y), y, width });
      return [{ label, isPicked, x: xAt(y), y }];
    });
}

/** From so many points on they are a line and no more. */
const MOST_DOTS = 40;

/** A line through points in the order of x. @param what a sentence for who does not see it */
export function lineChart(what: string, points: readonly ChartPoint[], x: Axis, y: Axis): Markup {
  const [low, high] = spanOf(points.map((point) => point.y));
  return chart(what, spanOf(points.map((point) => point.x)), [Math.min(0, low), high], x, y, (frame) => {
    const at = ({ x, y }: ChartPoint): string => `${place(frame.across(x))} ${place(frame.up(y))}`;
    const dots = points.filter(({ label }) => points.length <= MOST_DOTS || label !== undefined);
    return html`<path class="curve" d="M${points.map(at).join('L')}"/>
${dots.map(
  (one) =>
    html`<circle class="point${one.isPicked && ' picked'}" cx="${place(frame.across(one.x))}" cy="${place(frame.up(one.y))}" r="${one.isPicked ? 6 : 3}">${
      one.label !== undefined && html`<title>${one.label}</title>`
    }</circle>`,
)}
${shownLabels(points, frame, y.label).map(
  ({ label, isPicked, x, y }) =>
    html`<text class="label${isPicked && ' picked'}" x="${place(x)}" y="${place(y)}">${label}</text>`,
)}`;
  });
}

interface ChartColumns {
  readonly kind: 'before' | 'after';
  readonly values: readonly number[];
}

/**
 * Columns side by side in equal bins. @param range of all bins @param words of a bin, for who points at it
 */
export function columnChart(
  what: string,
  range: readonly [number, number],
  series: readonly ChartColumns[],
  words: (bin: number) => string,
  x: Axis,
  y: Axis,
): Markup {
  const highest = Math.max(...series.flatMap(({ values }) => values), 0);
  return chart(what, range, [0, highest || 1], x, y, ({ across, up }) => {
    const bins = series[0]!.values.length;
    const binWidth = (across(range[1]) - across(range[0])) / bins;
    const gap = binWidth > 5 ? 1.5 : 0;
    const width = (binWidth - gap) / series.length;
    return Array.from(
      { length: bins },
      (_, bin) =>
        html`<g><title>${words(bin)}</title>${series.map(({ kind, values }, k) => {
          const top = up(values[bin]!);
          return html`<rect class="${kind}" x="${place(across(range[0]) + bin * binWidth + k * width)}" y="${place(top)}" width="${width.toFixed(2)}" height="${place(FOOT - top)}"/>`;
        })}</g>`,
    );
  });
}

/** Charts beside one another, each below what it shows. */
export const chartRow = (...charts: readonly (readonly [heading: string, chart: Content])[]): Markup =>
  html`<div class="charts">${charts.map(
    ([heading, picture]) => html`<figure><figcaption>${heading}</figcaption>${picture}</figure>
`,
  )}</div>
`;

/** A part of a bar: its share of the whole, from 0 to 1. */
export interface BarPart {
  readonly kind: 'before' | 'after' | 'kept';
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
  return html`<svg class="bar" viewBox="0 0 ${BAR_WIDTH} ${height}" preserveAspectRatio="none" role="img" aria-label="${what}">${rows}</svg>`;
}
