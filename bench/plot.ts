/**
 * `npx tsx bench/plot.ts FIGURES [SVG]`: time against nodes for ours and stock, both axes logarithmic, from
 * the JSON lines of `npm run bench -- programs --out FIGURES`. Default output:
 * docs/reference/performance.svg.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments, refuse } from './arguments.ts';
import type { Figure } from './run/figure.ts';

/** The curves that are drawn, in the order of the legend. */
const CURVES = [
  { name: 'hbal, one step', colour: '#1f5fa8' },
  { name: 'hbal, full run', colour: '#b3541e' },
  { name: 'hspace', colour: '#2d7d46' },
  { name: 'hail, allocate', colour: '#7a4a9c' },
] as const;

const WIDTH = 860;
const HEIGHT = 520;
const PLOT = { left: 80, right: 620, top: 50, bottom: 450 };
const DEFAULT_OUTPUT = 'docs/reference/performance.svg';

interface Point {
  readonly size: number;
  readonly seconds: number;
}

/** Maps a value range, widened to whole powers of ten (or to the values themselves), to a range of pixels. */
const logScale =
  (low: number, high: number, from: number, to: number) =>
  (value: number): number =>
    from + ((Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))) * (to - from);

const timeLabel = (seconds: number): string =>
  seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds} s`;

const pointsOf = (figures: readonly Figure[], name: string, key: 'seconds' | 'stockSeconds'): Point[] =>
  figures
    .flatMap((figure) => {
      const seconds = figure[key];
      return figure.name === name && seconds !== null && seconds > 0 ? [{ size: figure.size, seconds }] : [];
    })
    .sort((one, other) => one.size - other.size);

/** The whole picture as SVG text. */
export function performancePlot(figures: readonly Figure[]): string {
  const curves = CURVES.flatMap(({ name, colour }) => [
    { name, colour, isStock: true, points: pointsOf(figures, name, 'stockSeconds') },
    { name, colour, isStock: false, points: pointsOf(figures, name, 'seconds') },
  ]).filter((curve) => curve.points.length > 0);
  const all = curves.flatMap((curve) => curve.points);
  const sizes = [...new Set(all.map((point) => point.size))].sort((one, other) => one - other);
  const lowest = 10 ** Math.floor(Math.log10(Math.min(...all.map((point) => point.seconds))));
  const highest = 10 ** Math.ceil(Math.log10(Math.max(...all.map((point) => point.seconds))));
  const x = logScale(sizes[0]! * 0.85, sizes.at(-1)! * 1.15, PLOT.left, PLOT.right);
  const y = logScale(lowest, highest, PLOT.bottom, PLOT.top);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">`,
    '<title>cpu time against number of nodes, both axes logarithmic</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    `<text x="${PLOT.left}" y="28" font-size="16">cpu time of the whole process (10 instances a node; dashed: stock)</text>`,
  ];
  for (let value = lowest; value <= highest * 1.0001; value *= 10) {
    const at = y(value).toFixed(1);
    parts.push(
      `<line x1="${PLOT.left}" x2="${PLOT.right}" y1="${at}" y2="${at}" stroke="#ddd"/>`,
      `<text x="${PLOT.left - 8}" y="${at}" dy="4" text-anchor="end">${timeLabel(Number(value.toPrecision(1)))}</text>`,
    );
  }
  for (const size of sizes) {
    const at = x(size).toFixed(1);
    parts.push(
      `<line x1="${at}" x2="${at}" y1="${PLOT.top}" y2="${PLOT.bottom}" stroke="#eee"/>`,
      `<text x="${at}" y="${PLOT.bottom + 20}" text-anchor="middle">${size}</text>`,
    );
  }
  parts.push(
    `<text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 44}" text-anchor="middle">nodes</text>`,
  );
  curves.forEach((curve, position) => {
    const dash = curve.isStock ? ' stroke-dasharray="6 4"' : '';
    const path = curve.points.map((point) => `${x(point.size).toFixed(1)},${y(point.seconds).toFixed(1)}`);
    const legendY = PLOT.top + 12 + position * 24;
    parts.push(
      `<polyline points="${path.join(' ')}" fill="none" stroke="${curve.colour}" stroke-width="2"${dash}/>`,
      ...path.map((at) => {
        const [cx, cy] = at.split(',');
        return `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${curve.isStock ? 'white' : curve.colour}" stroke="${curve.colour}" stroke-width="1.5"/>`;
      }),
      `<line x1="${PLOT.right + 20}" x2="${PLOT.right + 52}" y1="${legendY}" y2="${legendY}" stroke="${curve.colour}" stroke-width="2"${dash}/>`,
      `<text x="${PLOT.right + 60}" y="${legendY}" dy="4">${curve.name}${curve.isStock ? ', stock' : ''}</text>`,
    );
  });
  return `${[...parts, '</svg>'].join('\n')}\n`;
}

/** The figures of a file of JSON lines; of two for one name and size the later counts. */
export function readFigures(text: string): Figure[] {
  const latest = new Map<string, Figure>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const figure = JSON.parse(line) as Figure;
    latest.set(`${figure.name}/${figure.size}`, figure);
  }
  return [...latest.values()];
}

const USAGE = 'usage: npx tsx bench/plot.ts FIGURES [SVG]';

if (process.argv[1]?.endsWith('plot.ts')) {
  const { positionals } = readArguments(USAGE, {}, 2);
  const [input = refuse(USAGE, 'No file of figures is named'), output = DEFAULT_OUTPUT] = positionals;
  writeFileSync(output, performancePlot(readFigures(readFileSync(input, 'utf8'))));
  console.log(`${output} is written`);
}
