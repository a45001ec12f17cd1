import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type LoadFile, readSamples } from '../../../../src/htools/sources/load/read-samples.ts';
import { type LoadSample, smoothedLoads } from '../../../../src/htools/sources/load/samples.ts';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';
import { problemsOf } from '../problems-of.ts';

const FILE: LoadFile = { path: 'loads', resource: undefined, label: 'instance' };
const read = (text: string, file: Partial<LoadFile> = {}) =>
  readSamples(Buffer.from(text), { ...FILE, ...file });

describe('measured loads', () => {
  describe('from JSON lines', () => {
    it('are a sample for each resource of a line', () => {
      const text = [
        '{"instance": "web", "time": 100, "cpu": 0.5, "memory": 0.25}',
        '',
        '{"instance": "db", "time": "1970-01-01T01:02:00+0100", "net": 3}',
      ].join('\n');
      expect(read(text)).to.deep.equal([
        { instance: 'web', resource: 'cpu', time: 100, value: 0.5 },
        { instance: 'web', resource: 'mem', time: 100, value: 0.25 },
        { instance: 'db', resource: 'net', time: 120, value: 3 },
      ]);
      expect(read(text, { resource: 'net' })).to.have.length(1);
    });

    it('are refused with all faults at once, by line', () => {
      const text = [
        '{"instance": "a", "cpu": -1}',
        'cpu 1',
        '{"cpu": 1}',
        '{"instance": "a", "gpu": 1}',
        '{"instance": "a", "time": "soon"}',
        '{"instance": "a", "mem": 1, "memory": 1}',
        '{"instance": "a", "time": "2026-01-31T12:00:00"}',
      ];
      const problems = problemsOf(() => read(text.join('\n')));
      expect(problems.map(({ line }) => line)).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
      expect(problems[0]).to.deep.include({ field: 'cpu', value: '-1' });
      for (const { remedy } of problems) expect(remedy).to.match(/^write /);
    });
  });

  describe('from answers of Prometheus', () => {
    const answer = (result: unknown[], resultType = 'matrix') =>
      JSON.stringify({ status: 'success', data: { resultType, result } });

    it('are all values of a range, or the one of an instant', () => {
      const range = answer([
        {
          metric: { domain: 'web' },
          values: [
            [100, '0.5'],
            [160, 'NaN'],
            [220, '0.7'],
          ],
        },
      ]);
      expect(read(range, { label: 'domain', resource: 'cpu' })).to.deep.equal([
        { instance: 'web', resource: 'cpu', time: 100, value: 0.5 },
        { instance: 'web', resource: 'cpu', time: 220, value: 0.7 },
      ]);
      const instant = answer(
        [{ metric: { instance: 'web', resource: 'memory' }, value: [100, '2'] }],
        'vector',
      );
      expect(read(instant)).to.deep.equal([{ instance: 'web', resource: 'mem', time: 100, value: 2 }]);
    });

    it('must say which instance and what was measured', () => {
      const nameless = answer([{ metric: { job: 'x' }, value: [1, '1'] }], 'vector');
      expect(problemsOf(() => read(nameless))[0]!.remedy).to.include('--load-label');
      const unknown = answer([{ metric: { instance: 'x' }, value: [1, '1'] }], 'vector');
      expect(problemsOf(() => read(unknown))[0]!.remedy).to.include('--load cpu=loads');
      const negative = answer([{ metric: { instance: 'x' }, value: [1, '-1'] }], 'vector');
      expect(problemsOf(() => read(negative, { resource: 'cpu' }))[0]!.problem).to.include(
        "'-1' is not a load",
      );
      expect(problemsOf(() => read('{"status": "error"}'))).not.to.deep.equal([]);
      const [told] = problemsOf(() => read('{"status": "error", "error": "parse error at char 7"}'));
      expect(told).to.deep.include({ field: 'error', value: 'parse error at char 7' });
    });

    it('have numbers in them, or NaN where there is none: no other text is one', () => {
      const value = (text: string) => () =>
        read(answer([{ metric: { instance: 'x' }, value: [1, text] }], 'vector'), { resource: 'cpu' });
      expect(value('1e-05')()[0]!.value).to.equal(0.00001);
      expect(value('NaN')()).to.deep.equal([]);
      for (const text of ['', ' ', '+Inf', 'abc', '0.5x'])
        expect(problemsOf(value(text))[0]?.remedy).to.equal('give a number from 0 to 1000000000000');
    });
  });

  describe('become one value', () => {
    const samples = (values: readonly number[]): LoadSample[] =>
      values.map((value, k) => ({ instance: 'web', resource: 'cpu', time: k * 60, value }));
    const hundred = Array.from({ length: 100 }, (_, k) => 100 - k);

    it('by their mean, or the value that 95 of 100 do not exceed', () => {
      expect(smoothedLoads(samples([1, 2, 6]), 'mean', undefined).get('web')).to.deep.equal({ cpu: 3 });
      expect(smoothedLoads(samples(hundred), 'p95', undefined).get('web')).to.deep.equal({ cpu: 95 });
      expect(smoothedLoads(samples([7]), 'p95', undefined).get('web')).to.deep.equal({ cpu: 7 });
    });

    it('over a window that ends with the newest', () => {
      expect(smoothedLoads(samples([9, 9, 1, 2, 3]), 'mean', 120).get('web')).to.deep.equal({ cpu: 2 });
      const timeless: LoadSample = { instance: 'web', resource: 'cpu', time: undefined, value: 6 };
      expect(smoothedLoads([...samples([9, 9, 1, 2, 3]), timeless], 'mean', 120).get('web')).to.deep.equal({
        cpu: 3,
      });
    });
  });

  describe('in hbal', () => {
    const folder = newFolder();

    it('go before -U, part by part, and the document says where each comes from', () => {
      writeFileSync(
        join(folder, 'loads.jsonl'),
        '{"instance": "web2.example.com", "cpu": 4}\n{"instance": "gone", "cpu": 1}\n',
      );
      writeFileSync(join(folder, 'use'), 'web2.example.com 1 2 3 4\ndb1.example.com 5 6 7 8\n');
      const { stdout, stderr } = runBuilt(
        `hbal -t testdata/small.data -U ${folder}/use --load ${folder}/loads.jsonl --print-instances --json`,
      );
      const rows = new Map<string, { load: object; loadSources: object }>(
        JSON.parse(stdout).initial.instances.map((row: { name: string }) => [row.name, row]),
      );
      expect(rows.get('web2.example.com')).to.deep.include({
        load: { cpu: 4, mem: 2, disk: 3, net: 4 },
        loadSources: { cpu: 'measured', mem: 'dynu-file', disk: 'dynu-file', net: 'dynu-file' },
      });
      expect(rows.get('db1.example.com')!.load).to.deep.equal({ cpu: 5, mem: 6, disk: 7, net: 8 });
      const assumed = { cpu: 'assumed', mem: 'assumed', disk: 'assumed', net: 'assumed' };
      expect(rows.get('mail.example.com')!.loadSources).to.deep.equal(assumed);
      expect(stderr).to.include('--load: 1 of 2 names are not instances of the cluster (gone)');
      expect(stderr).to.include('--load: 9 of 10 instances were not measured');
    });

    it('change the plan as the same loads in -U do', () => {
      const names = ['web1', 'web2', 'db1', 'mail', 'dns', 'test1'].map((name) => `${name}.example.com`);
      writeFileSync(
        join(folder, 'all.jsonl'),
        names
          .map((instance, k) => JSON.stringify({ instance, cpu: k, memory: 1, disk: k, net: 2 }))
          .join('\n'),
      );
      writeFileSync(join(folder, 'all'), names.map((name, k) => `${name} ${k} 1 ${k} 2\n`).join(''));
      const planned = (words: string) => runBuilt(`hbal -t testdata/small.data -q ${words}`).stdout;
      expect(planned(`--load ${folder}/all.jsonl`)).to.equal(planned(`-U ${folder}/all`));
      expect(planned(`--load ${folder}/all.jsonl`)).not.to.equal(planned(''));
      expect(
        runBuilt(`hbal -t testdata/small.data --load ${folder}/all.jsonl --load-window 5x`).stderr,
      ).to.include("'5x' is not a time");
    });

    it('are missed where only words about them are given', () => {
      for (const word of ['--load-window=1h', '--load-use=mean', '--load-label=vm']) {
        const { status, stdout, stderr } = runBuilt(`hspread -t testdata/small.data ${word}`);
        expect([status, stdout]).to.deep.equal([1, '']);
        expect(stderr).to.include('are about --load').and.to.include('add --load=FILE');
      }
    });
  });
});
