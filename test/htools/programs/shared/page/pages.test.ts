/**
 * The pages of all six programs, of a cluster whose names are markup. What only a browser can tell is asked
 * by `npm run check -- pages`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostilePages, MARKUP, type MadePage } from '../../../../../bench/htools/pages/make-pages.ts';
import { nodeCharts } from '../../../../../src/htools/programs/shared/page/nodes.ts';
import type { NodeRow } from '../../../../../src/htools/results/parts/tables.ts';
import type { Markup } from '../../../../../src/kit/report/html/markup.ts';
import { newFolder } from '../../../../builders/folder.ts';
import { type Element, readPage } from '../../../../kit/report/html/read-page.ts';
import { runWords } from '../../../../suite/run-built.ts';

describe('pages', () => {
  const folder = newFolder();
  let pages: (MadePage & { readonly elements: Element[] })[];

  before(() => {
    pages = hostilePages(folder, runWords).map((page) => ({
      ...page,
      elements: readPage(readFileSync(page.file, 'utf8')),
    }));
  });

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
        'header',
        'nav',
        'a',
        'h3',
        'data',
        'select',
        'option',
        'figure',
        'figcaption',
        'svg',
        'g',
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
        for (const [key, value] of Object.entries(attributes)) {
          expect(key, page).to.not.match(/^(on.*|src|style|srcset|action)$/);
          if (key === 'href') expect(value, page).to.match(/^#[a-z0-9-]+$/);
        }
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

  it('show the ratios of all other nodes where one has no cpus', () => {
    const file = join(folder, 'without-cpus.html');
    runWords('hinfo', ['-t', 'testdata/snapshots/short-columns.data', `--html=${file}`]);
    const page = readFileSync(file, 'utf8');
    expect(page).not.to.include('NaN');
    expect(page).to.match(
      /aria-label="Virtual cpus: 0\.\d\d a cpu"><rect[^>]*\/><rect class="after"[^>]*width="[1-9]/,
    );
  });

  it('of hcompress count on no more groups than can be given back at once', () => {
    const file = join(folder, 'given-back.html');
    const cardWith = (...words: string[]): string | undefined => {
      runWords('hcompress', ['-t', 'testdata/super.data', `--html=${file}`, ...words]);
      return /<dt>Is it worth it<\/dt>(.*?)<\/div>/s
        .exec(readFileSync(file, 'utf8'))?.[1]
        ?.replace(/<[^>]*>/g, '|');
    };
    expect(cardWith()).to.match(
      /1 of 4 groups to be had.*rack-c: .*192 GiB.* of memory.*--all tells how many/,
    );
    expect(cardWith('--all')).to.match(/2 of 4 groups to be had.*rack-c, rack-d: .*384 GiB.* of memory/);
  });

  it('of plans have their commands, as the plan has them', () => {
    for (const page of pages.filter(({ name }) => /^(hbal|hcompress)/.test(name)))
      expect(named(page, 'pre')[0]?.text, page.name).to.match(/^# job set 1, \d+ jobs?\ngnt-instance /);
  });

  it('of plans tell the why of each step and move, asked or not', () => {
    for (const page of pages.filter(({ name }) => /^(hbal|hcompress|hspread)/.test(name))) {
      const rows = named(page, 'tr');
      const reasons = rows.filter(({ attributes }) => attributes.class === 'why');
      const commands = named(page, 'pre').flatMap(({ text }) => text.match(/^# job set/gm) ?? []);
      expect(reasons.length, page.name).to.be.at.least(commands.length);
      for (const { text } of reasons) expect(text, page.name).to.match(/\d to .*\d, gains -?[\d\u2248]/s);
    }
  });

  it('answer first what happens, whether it is worth it, what it costs and what is wrong', () => {
    for (const page of pages.filter(({ name }) => /^(hbal|hcompress|hspread)/.test(name)))
      expect(named(page, 'dt').map(({ text }) => text)).to.include.members([
        'What will happen',
        'Is it worth it',
        'What does it cost',
        'What is wrong',
      ]);
  });

  it('lead to each of their parts', () => {
    for (const page of pages) {
      const ids = new Set(page.elements.flatMap(({ attributes }) => attributes.id ?? []));
      const links = named(page, 'a').map(({ attributes }) => attributes.href!.slice(1));
      expect(links, page.name).to.not.be.empty;
      for (const link of links) expect(ids.has(link), `${page.name}: #${link}`).to.equal(true);
    }
  });

  it('tell of more nodes than a call takes as arguments', () => {
    const node = { totalCpus: 4, vcpuRatio: 2, totalMemMib: 8, unallocatedMemMib: 6, reservedMemMib: 0 };
    const nodes = Array<NodeRow>(150_000).fill({ ...node, totalDiskMib: 8, freeDiskMib: 2 } as NodeRow);
    const charts = nodeCharts(nodes);
    expect((charts as Markup).text).to.include('Nodes by memory in use, %: 25 to 25');
  });

  it('say amounts with their units and metrics by plain names', () => {
    for (const page of pages) {
      const amounts = named(page, 'data');
      for (const { attributes, text } of amounts.filter((one) => / [MGTP]iB$/.test(one.text)))
        expect(attributes.value, `${page.name}: ${text}`).to.match(/^[\d.]+ MiB$/);
    }
    const hspace = pages.find(({ name }) => name.startsWith('hspace'))!;
    const [body] = named(hspace, 'body');
    expect(body!.text).to.match(/What stops the next one(memory|disk|virtual cpus)/);
    expect(body!.text).to.include('What would make room');
    const hinfo = pages.find(({ name }) => name.startsWith('hinfo'))!;
    expect(named(hinfo, 'th').map(({ text }) => text)).to.include('uneven free memory free_mem_cv');
  });
});
