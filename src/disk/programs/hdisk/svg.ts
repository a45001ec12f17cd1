/** The disks of nodes as bars, to scale, as an SVG image that stands by itself. */
import { textWidth } from '../../../kit/report/text-table.ts';
import { count } from '../../../kit/text/words.ts';
import type { LaidOut } from '../../facts/node-layout.ts';
import { UNALLOCATED } from '../../model/spaces.ts';

const WIDTH = 960;
const MARGIN = 20;
const BAR = { height: 30, gap: 26, labelHeight: 16 } as const;
const HEADING_HEIGHT = 34;
const LEGEND = { height: 24, swatch: 13, column: 230 } as const;
/** About what a character of the label takes. */
const CHARACTER_WIDTH = 6.6;
/** What is there is seen. */
const MIN_PART_WIDTH = 1.5;

/** Colours that any colour vision tells apart (Okabe and Ito, then Tol), each with the text on it. */
const PALETTE: readonly (readonly [fill: string, text: string])[] = [
  ['#0072b2', '#fff'],
  ['#e69f00', '#000'],
  ['#009e73', '#fff'],
  ['#cc79a7', '#000'],
  ['#56b4e9', '#000'],
  ['#d55e00', '#fff'],
  ['#f0e442', '#000'],
  ['#332288', '#fff'],
  ['#999933', '#000'],
  ['#882255', '#fff'],
  ['#44aa99', '#000'],
  ['#aa4499', '#fff'],
];
const NOTHING_FILL = 'url(#left)';

const escaped = (text: string): string =>
  text
    .replace(
      /[&<>"]/g,
      (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]!,
    )
    // What XML cannot say at all.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd');

const fits = (text: string, width: number): boolean => textWidth(text) * CHARACTER_WIDTH <= width;

const shortened = (text: string, width: number): string =>
  fits(text, width) ? text : `${[...text].slice(0, Math.floor(width / CHARACTER_WIDTH) - 1).join('')}…`;

const number = (value: number): string => String(Math.round(value * 100) / 100);
/** 12345678 as 12 345 678. */
const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, '\u202f');

/** All nodes below each other, on one scale. */
export function svgText(outcomes: readonly LaidOut[]): string {
  const largest = Math.max(1, ...outcomes.flatMap(({ disks }) => disks.map(({ size }) => size)));
  const scale = (WIDTH - 2 * MARGIN) / largest;
  const ids = [...new Set(outcomes.flatMap(({ spaces }) => spaces.map(({ id }) => id)))];
  const colourOf = (id: string): readonly [string, string] => PALETTE[ids.indexOf(id) % PALETTE.length]!;
  const body: string[] = [];
  let top = MARGIN;
  for (const outcome of outcomes) {
    body.push(text(MARGIN, top + 18, shortened(headingOf(outcome), WIDTH - 2 * MARGIN), 'class="heading"'));
    top += HEADING_HEIGHT;
    for (const disk of outcome.disks.keys()) {
      body.push(bar(outcome, disk, top, scale, colourOf));
      top += BAR.labelHeight + BAR.height + BAR.gap;
    }
  }
  const legend = legendOf(
    [...ids.map((id) => [id, colourOf(id)[0]] as const), [UNALLOCATED, NOTHING_FILL]],
    top,
  );
  const height = top + legend.height + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>Layout of disks</title>
<style>text{font:12px sans-serif;fill:#222}.heading{font-weight:bold;font-size:15px}.part{stroke:#fff;stroke-width:1}.frame{fill:none;stroke:#444}</style>
<defs><pattern id="left" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8" fill="#f2f2f2"/><line x1="0" y1="0" x2="0" y2="8" stroke="#c4c4c4" stroke-width="3"/></pattern></defs>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${body.join('\n')}
${legend.text}
</svg>
`;
}

const headingOf = ({ node, disks }: LaidOut): string => {
  const all = disks.reduce((sum, { size }) => sum + size, 0);
  return `${node}: ${count(disks.length, 'disk')}, ${grouped(all)} MiB`;
};

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${number(x)}" y="${number(y)}" ${attributes}>${escaped(content)}</text>`;

function bar(
  { disks, spaces, layout }: LaidOut,
  at: number,
  top: number,
  scale: number,
  colourOf: (id: string) => readonly [string, string],
): string {
  const { id, size, attributes } = disks[at]!;
  const kind = typeof attributes.type === 'string' ? ` (${attributes.type})` : '';
  const heading = shortened(`${id}${kind}  ${grouped(size)}`, WIDTH - 2 * MARGIN);
  const lines = [text(MARGIN, top + 11, heading)];
  const y = top + BAR.labelHeight;
  let x = MARGIN;
  const tooSmall: string[] = [];
  for (const [space, own] of layout.sizes[at]!.entries()) {
    if (own === 0) continue;
    const name = spaces[space]?.id ?? UNALLOCATED;
    const [fill, ink] = space < spaces.length ? colourOf(name) : [NOTHING_FILL, '#222'];
    const width = own * scale;
    lines.push(
      `<rect class="part" x="${number(x)}" y="${y}" width="${number(Math.max(width, MIN_PART_WIDTH))}" height="${BAR.height}" fill="${fill}"><title>${escaped(`${name} ${own}`)}</title></rect>`,
    );
    const label = `${name} ${grouped(own)}`;
    // A number that is cut is another number.
    const inside = [label, name].find((words) => fits(words, width - 8));
    if (inside !== label) tooSmall.push(label);
    if (inside !== undefined)
      lines.push(
        text(x + width / 2, y + BAR.height / 2 + 4, inside, `text-anchor="middle" style="fill:${ink}"`),
      );
    x += width;
  }
  // What has no room inside of its part stands below.
  if (tooSmall.length > 0)
    lines.push(text(MARGIN, y + BAR.height + 14, shortened(tooSmall.join(', '), WIDTH - 2 * MARGIN)));
  lines.push(
    `<rect class="frame" x="${MARGIN}" y="${y}" width="${number(size * scale)}" height="${BAR.height}"/>`,
  );
  return lines.join('\n');
}

function legendOf(entries: readonly (readonly [string, string])[], top: number) {
  const inRow = Math.floor((WIDTH - 2 * MARGIN) / LEGEND.column);
  const lines = entries.map(([name, fill], at) => {
    const x = MARGIN + (at % inRow) * LEGEND.column;
    const y = top + Math.floor(at / inRow) * LEGEND.height;
    const swatch = `<rect x="${x}" y="${y}" width="${LEGEND.swatch}" height="${LEGEND.swatch}" fill="${fill}" stroke="#444"/>`;
    return swatch + text(x + LEGEND.swatch + 7, y + 11, shortened(name, LEGEND.column - LEGEND.swatch - 20));
  });
  return { text: lines.join('\n'), height: Math.ceil(entries.length / inRow) * LEGEND.height };
}
