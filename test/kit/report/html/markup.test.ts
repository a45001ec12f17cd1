import { expect } from 'chai';
import fc from 'fast-check';
import { lineChart } from '../../../../src/kit/report/html/charts.ts';
import { html } from '../../../../src/kit/report/html/markup.ts';
import { page, section } from '../../../../src/kit/report/html/page.ts';
import { commandBox, pageTable } from '../../../../src/kit/report/html/table.ts';
import { readPage, textOf } from './read-page.ts';

describe('markup of pages', () => {
  it('shows whatever is put into it, in text and in attributes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !text.includes('\r')),
        (text) => {
          expect(textOf(html`<b>${text}</b>`.text)).to.equal(text);
          expect(html`<b title="${text}">`.text.slice('<b title="'.length, -2)).to.not.match(/["<>]/);
        },
      ),
    );
  });

  it('takes markup of its own as it is, lists one after another, and nothing where there is nothing', () => {
    expect(html`<p>${[html`<b>1</b>`, 2, undefined, false, '3']}</p>`.text).to.equal('<p><b>1</b>23</p>');
  });

  it('has one title, and a policy that lets its own script and style work and no other', () => {
    const text = page('a <title>', section('part', 'body'));
    expect(text.match(/<title>(.*?)<\/title>/)?.[1]).to.equal('a &lt;title&gt;');
    const policy = readPage(text).find(({ attributes }) => attributes['http-equiv'])?.attributes.content;
    expect(policy).to.match(/^default-src 'none'; style-src 'sha256-[^;]+'; script-src 'sha256-[^;]+';/);
  });
});

describe('tables of pages', () => {
  const columns = [
    { heading: 'Name', isName: true },
    { heading: 'Number', isNumeric: true },
  ];

  it('name their rows and columns, and can be filtered from eight rows on', () => {
    const table = (rows: number): string =>
      pageTable(
        't',
        'things',
        columns,
        Array.from({ length: rows }, (_, k) => [`n${k}`, k]),
      ).text;
    expect(table(7)).to.include('<th scope="row">n6</th><td class="n">6</td>').and.not.include('<input');
    expect(table(8))
      .to.include('<label for="t-filter">Show things with</label>')
      .and.include('data-rows="t"');
    expect(table(0)).to.equal('<p class="soft">None.</p>');
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
    expect([...text.matchAll(/text-anchor="end">(\d+)</g)].map(([, label]) => label)).to.deep.equal([
      '0',
      '10',
      '20',
      '30',
      '40',
    ]);
    const [, ...xy] = /class="curve" d="M(\S+) (\S+)L(\S+) (\S+)L(\S+) (\S+)"/.exec(text)!;
    const [x0, y0, x1, y1, x2, y2] = xy.map(Number);
    expect(x1! - x0!).to.be.closeTo(x2! - x1!, 0.2);
    expect(y1! - y0!).to.be.closeTo(y2! - y1!, 0.2);
    expect(y0).to.be.below(y2!);
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
