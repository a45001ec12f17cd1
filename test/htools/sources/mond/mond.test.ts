import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseMonitoringFile } from '../../../../src/htools/sources/mond/mond.ts';
import { problemsOf } from '../problems-of.ts';

const TEXT = readFileSync('testdata/snapshots/monitoring.json', 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: tests damage the document in every way.
type Document = any;

const changed = (change: (document: Document) => void): string => {
  const document = JSON.parse(TEXT);
  change(document);
  return JSON.stringify(document);
};

const totals = (text: string) => {
  const reports = parseMonitoringFile(text, 'f', 'node-total');
  return reports.collector === 'node-total' ? Object.fromEntries(reports.cpuLoadByNode) : {};
};

describe('monitoring files', () => {
  it('give one load a node', () => {
    expect(totals(TEXT)).to.deep.equal({ 'n1.example': 1.5, 'n2.example': 3, 'n3.example': 0 });
  });

  it('give loads of instances where a node tells them', () => {
    const reports = parseMonitoringFile(TEXT, 'f', 'per-instance');
    const loads = reports.collector === 'per-instance' ? reports.cpuLoadsByNode : new Map();
    expect([...loads].map(([node, byName]) => [node, Object.fromEntries(byName)])).to.deep.equal([
      ['n1.example', { 'i1.example': 0.5 }],
    ]);
  });

  const silencing: [string, (d: Document) => void][] = [
    ['less', (d) => delete d[1].reports[0].data.cpus],
    ['more', (d) => (d[1].reports[0].data.more = 1)],
    ['something else', (d) => (d[1].reports[0].data.cpu_total = 'x')],
  ];
  for (const [what, change] of silencing) {
    it(`count a node as silent when its data holds ${what}`, () => {
      expect(totals(changed(change))).to.have.all.keys('n1.example', 'n3.example');
    });
  }

  it('look at the first report of a collector and the last entry of a node only', () => {
    const text = changed((d) => {
      d[0].reports.unshift({ ...d[0].reports[1], data: {} });
      d.push({
        node: 'n2.example',
        reports: [{ ...d[1].reports[0], data: { cpu_number: 1, cpus: [], cpu_total: 9 } }],
      });
    });
    expect(totals(text)).to.deep.equal({ 'n2.example': 9, 'n3.example': 0 });
  });

  const broken: [string, string, RegExp][] = [
    ['no JSON', '[1', /can't parse MonD data: /],
    ['no list', '{}', /^: can't parse MonD data: Invalid input: expected array, received object$/],
    ['no reports', changed((d) => delete d[0].reports), /^0\.reports: .* it is missing$/],
    ['a report without kind', changed((d) => delete d[0].reports[0].kind), /^0\.reports\.0\.kind: /],
    ['a report of another kind', changed((d) => (d[0].reports[0].kind = 2)), /^0\.reports\.0\.kind: /],
    [
      'an unknown category',
      changed((d) => (d[0].reports[0].category = 'x')),
      /^0\.reports\.0\.category: .*"hypervisor"/,
    ],
    ['a report with more', changed((d) => (d[0].reports[0].more = 1)), /^0\.reports\.0: .*: "more"$/],
    ['senseless nesting', '['.repeat(100_000), /nested too deeply/],
  ];
  for (const [what, text, message] of broken) {
    it(`fail with ${what}`, () => {
      const [found] = problemsOf(() => parseMonitoringFile(text, 'f', 'node-total'));
      expect(`${found?.field ?? ''}: ${found?.problem}`).to.match(message);
    });
  }
});
