import { expect } from 'chai';
import fc from 'fast-check';
import { columnChart, lineChart } from '../../../../src/kit/report/html/charts.ts';
import { amount, html, shortNumber } from '../../../../src/kit/report/html/markup.ts';
import { commandBox, page, pageTable, section } from '../../../../src/kit/report/html/page.ts';
import { readPage, textOf } from './read-page.ts';

const RETURN = 0xd;
const SURROGATES = { first: 0xd800, last: 0xdfff };

/** Any code point but those that HTML does not keep, and often one that means something in it. */
const character = fc.oneof(
  fc.constantFrom(...'<>&"\''),
  fc
    .integer({ min: 0, max: 0x10_ffff })
    .filter((point) => point !== RETURN && (point < SURROGATES.first || point > SURROGATES.last))
    .map((point) => String.fromCodePoint(point)),
);

describe('markup of pages', () => {
  it('shows whatever is put into it, in text and in attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        expect(textOf(html`<b>${text}</b>`.text)).to.equal(text);
        expect(html`<b title="${text}">`.text.slice('<b title="'.length, -2)).to.not.match(/["<>]/);
      }),
    );
  });

  it('takes markup of its own as it is, lists one after another, and nothing where there is nothing', () => {
    expect(html`<p>${[html`<b>1</b>`, 2, undefined, false, '3']}</p>`.text).to.equal('<p><b>1</b>23</p>');
  });

  it('has one title, and a policy that lets its own script and style work and no other', () => {
    const text = page('a <title>', section('one', 'part', 'body'));
    expect(text).to.include('<a href="#one">part</a>').and.include('<section id="one"><h2>part</h2>');
    expect(text.match(/<title>(.*?)<\/title>/)?.[1]).to.equal('a &lt;title&gt;');
    const policy = readPage(text).find(({ attributes }) => attributes['http-equiv'])?.attributes.content;
    expect(policy).to.match(/^default-src 'none'; style-src 'sha256-[^;]+'; script-src 'sha256-[^;]+';/);
  });
});

describe('tables of pages', () => {
  const table = (count: number): string =>
    pageTable(
      't',
      'things',
      Array.from({ length: count }, (_, k) => k),
      [
        ['Name', (k) => `n${k}`],
        ['#Number', (k) => k],
      ],
      { kinds: { even: (k) => k % 2 === 0, huge: (k) => k > 1000 } },
    ).text;

  it('name their rows and columns, and can be filtered from eight rows on', () => {
    expect(table(7))
      .to.include('<th scope="col" class="n">Number</th>')
      .and.include('<th scope="row">n6</th><td class="n">6</td>')
      .and.not.include('<input');
    expect(table(8))
      .to.include('<label for="t-filter">Show things with</label>')
      .and.include('id="t-filter"');
    expect(table(0)).to.equal('<p class="soft">None.</p>');
  });

  it('offer the kinds that there are, with their number', () => {
    expect(table(9)).to.include('<option value="even">even (5)</option>').and.not.include('huge');
    expect(table(9).match(/data-is="even"/g)).to.have.length(5);
  });

  it('have reasons below their rows, and heads above them, across all columns', () => {
    const { text } = pageTable('t', 'things', ['a', 'b'], [['Name', (name) => name]], {
      why: (name) => `because ${name}`,
      head: (name) => (name === 'b' ? 'from here on' : undefined),
    });
    expect(text).to.include('<tr class="why"><td colspan="2">because a</td></tr>\n<tr class="head">');
    expect(text).to.include('<th scope="rowgroup" colspan="2">from here on</th>');
  });

  it('hold commands as they are to be run', () => {
    expect(textOf(commandBox('c', ['gnt-instance migrate -f a&b', '# <2>']).text)).to.include(
      'gnt-instance migrate -f a&b\n# <2>\n',
    );
  });
});

describe('charts of pages', () => {
  const whole = (value: number): string => String(Math.round(value));
  const chart = (points: readonly (readonly [number, number])[]): string =>
    lineChart(
      'in words',
      points.map(([x, y]) => ({ x, y })),
      { label: 'steps', format: whole },
      { label: 'score', format: whole },
    ).text;

  it('have round numbers along both axes, and the points in their places', () => {
    const text = chart([
      [0, 40],
      [4, 20],
      [8, 0],
    ]);
    const labels = [...text.matchAll(/text-anchor="end">(\d+)</g)].map(([, label]) => label);
    expect(labels).to.deep.equal(['0', '10', '20', '30', '40']);
    const [x0, x1, x2, y0, y1, y2] = ['cx', 'cy'].flatMap((key) =>
      [...text.matchAll(new RegExp(`${key}="(\\S+)"`, 'g'))].map(([, value]) => Number(value)),
    ) as [number, number, number, number, number, number];
    expect(x1 - x0).to.be.closeTo(x2 - x1, 0.2);
    expect(y1 - y0).to.be.closeTo(y2 - y1, 0.2);
    expect(y0).to.be.below(y2);
  });

  it('give the low end of a stretched axis more room, and name the chosen point before any other', () => {
    const points = [0, 25, 50, 100].map((x) => ({ x, y: 1, label: `at ${x}`, isPicked: x === 50 }));
    const axis = { label: 'GiB', format: whole };
    const { text } = lineChart('in words', points, { ...axis, isStretched: true }, axis);
    const places = [...text.matchAll(/cx="(\S+)"/g)].map(([, x]) => Number(x));
    expect(places[1]! - places[0]!).to.be.closeTo(places[3]! - places[1]!, 0.2);
    const nameOf = (picture: string): string | undefined =>
      />(GiB[^<]*)<\/text>/.exec(picture.split('class="name"').at(-1)!)?.[1];
    expect(nameOf(text)).to.equal('GiB, by square root');
    expect(nameOf(lineChart('in words', points, axis, axis).text)).to.equal('GiB');
    expect(text).to.match(/<circle class="point picked"[^>]*><title>at 50</);
    expect(text).to.match(/<text class="label picked"[^>]*>at 50</);
  });

  it('put no label on the line, nor on the name of the axis', () => {
    const points = Array.from({ length: 101 }, (_, x) => {
      const label = { 0: 'first', 70: 'most of what it buys', 100: 'the plan that was chosen' }[x];
      return { x, y: 50 - x / 4, label, isPicked: x === 100 };
    });
    const { text } = lineChart(
      'in words',
      points,
      { label: 'GiB', format: whole },
      { label: 'a long name', format: whole },
    );
    const line = [.../class="curve" d="M([^"]*)"/.exec(text)![1]!.split('L')].map((at) =>
      at.split(' ').map(Number),
    ) as [number, number][];
    const labels = [...text.matchAll(/class="label[^"]*" x="(\S+)" y="(\S+)">([^<]*)</g)];
    expect(labels).to.have.length(3);
    for (const [, left, foot, words] of labels) {
      const [x, y] = [Number(left), Number(foot)];
      const under = line.filter(([at]) => at >= x && at <= x + 6 * words!.length);
      for (const [, at] of under) expect(at < y - 10 || at > y + 2, words).to.equal(true);
      expect(x > 6 * 'a long name'.length || y > 24, words).to.equal(true);
    }
  });

  it('put columns of two kinds side by side, each bin with its words', () => {
    const axis = { label: 'nodes', format: whole };
    const series = [
      { kind: 'before', values: [4, 0] },
      { kind: 'after', values: [2, 2] },
    ] as const;
    const { text } = columnChart('in words', [0, 100], series, (bin) => `bin ${bin}`, axis, axis);
    const heights = [...text.matchAll(/<rect class="(\w+)"[^>]*height="(\S+)"/g)].map(([, kind, height]) => [
      kind,
      Number(height),
    ]);
    expect(heights.map(([kind]) => kind)).to.deep.equal(['before', 'after', 'before', 'after']);
    expect(heights[0]![1]).to.equal(2 * Number(heights[1]![1]));
    expect(text).to.include('<title>bin 1</title>');
  });

  it('can be drawn of one point, and of values that are all alike', () => {
    for (const points of [
      [[0, 0]],
      [[3, 5]],
      [
        [0, 2],
        [1, 2],
      ],
    ] as const)
      expect(chart(points)).to.not.match(/NaN|Infinity/);
  });
});

describe('amounts of pages', () => {
  it('have three significant digits, whole numbers in full', () => {
    expect([0.012345, 11.311975, 271.57, 3200, 0, 2, 1e-9].map(shortNumber)).to.deep.equal([
      '0.0123',
      '11.3',
      '272',
      '3,200',
      '0',
      '2',
      '\u2248 0',
    ]);
  });

  it('keep what they are exactly, where that says more', () => {
    expect(html`${amount(43986944, '42.0 TiB', 'MiB')}`.text).to.equal(
      '<data value="43986944 MiB">42.0 TiB</data>',
    );
    expect(amount(7, '7')).to.equal('7');
  });
});
