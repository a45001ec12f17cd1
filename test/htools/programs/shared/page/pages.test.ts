/**
 * The pages of all six programs, of a cluster whose names are markup. What only a browser can tell is asked
 * by `npm run check -- pages`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostilePages, MARKUP, type MadePage } from '../../../../../bench/htools/pages/make-pages.ts';
import { type Element, readPage } from '../../../../kit/report/html/read-page.ts';

describe('pages', function () {
  this.timeout(30_000);
  let folder: string;
  let pages: (MadePage & { readonly elements: Element[] })[];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-pages-'));
    pages = hostilePages(folder).map((page) => ({
      ...page,
      elements: readPage(readFileSync(page.file, 'utf8')),
    }));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const named = (page: { readonly elements: Element[] }, name: string): Element[] =>
    page.elements.filter((one) => one.name === name);

  it('are there for six programs, well-formed, with names shown as they are', () => {
    expect(pages.map(({ name }) => name.split('-')[0])).to.have.members([
      'hbal',
      'hspace',
      'hinfo',
      'hredist',
      'hcompress',
      'hspread',
    ]);
    for (const page of pages) {
      const [body] = named(page, 'body');
      for (const name of MARKUP) expect(body!.text, page.name).to.include(name);
    }
  });

  it('ask for nothing: no element and no attribute loads or runs anything', () => {
    const harmless = new Set([
      ...[
        'html',
        'head',
        'meta',
        'title',
        'style',
        'body',
        'main',
        'h1',
        'h2',
        'section',
        'script',
        'p',
        'div',
      ],
      ...[
        'dl',
        'dt',
        'dd',
        'table',
        'thead',
        'tbody',
        'tr',
        'th',
        'td',
        'ul',
        'li',
        'span',
        'small',
        'code',
        'pre',
      ],
      ...[
        'label',
        'input',
        'output',
        'button',
        'details',
        'summary',
        'svg',
        'path',
        'rect',
        'circle',
        'text',
      ],
    ]);
    for (const { name: page, elements } of pages) {
      expect(elements.filter(({ name }) => name === 'script')).to.have.length(1);
      for (const { name, attributes } of elements) {
        expect(harmless.has(name), `${page}: <${name}>`).to.equal(true);
        for (const key of Object.keys(attributes))
          expect(key, page).to.not.match(/^(on.*|src|href|style|srcset|action)$/);
      }
    }
  });

  it('have one id each, a label for each field, words for each picture', () => {
    for (const page of pages) {
      const ids = page.elements.flatMap(({ attributes }) => attributes.id ?? []);
      expect(new Set(ids).size, page.name).to.equal(ids.length);
      const labelled = named(page, 'label').map(({ attributes }) => attributes.for);
      for (const { attributes } of named(page, 'input')) expect(labelled).to.include(attributes.id);
      for (const { attributes } of named(page, 'svg'))
        expect(attributes['aria-label'], page.name).to.be.a('string').and.not.empty;
    }
  });

  it('show nodes before the plan as hinfo does', () => {
    const before = (words: string): string => words.replace(/^Memory: before (.*?); after .*/, 'Memory: $1');
    const nodes = (program: string): string[] => {
      const { elements } = pages.find(({ name }) => name.startsWith(program))!;
      const words = elements.map(({ attributes }) => attributes['aria-label'] ?? '');
      return words
        .filter((one) => /^Memory: .*in use,/.test(one))
        .map(before)
        .sort();
    };
    const stated = nodes('hinfo');
    expect(stated).to.have.length(MARKUP.length);
    for (const program of ['hbal', 'hredist', 'hcompress', 'hspread', 'hspace'])
      expect(nodes(program), program).to.deep.equal(stated);
  });

  it('of plans have their commands, as the plan has them', () => {
    for (const page of pages.filter(({ name }) => /^(hbal|hcompress)/.test(name)))
      expect(named(page, 'pre')[0]?.text, page.name).to.match(/^# job set 1, \d+ jobs?\ngnt-instance /);
  });

  it('of plans tell the why of each step and move, asked or not', () => {
    for (const page of pages.filter(({ name }) => /^(hbal|hcompress|hspread)/.test(name))) {
      const what = named(page, 'dt').findIndex(({ text }) => /^(Steps|Instances that move)$/.test(text));
      const steps = Number.parseInt(named(page, 'dd')[what]!.text, 10);
      const reasons = named(page, 'details').map(({ text }) => text);
      expect(reasons.length, page.name).to.be.at.least(Math.max(1, steps));
      for (const reason of reasons) expect(reason, page.name).to.match(/^Why.*\d to .*\d, gains -?\d/s);
    }
  });
});
