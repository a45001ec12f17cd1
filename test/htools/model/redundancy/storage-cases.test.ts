import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { describeStorage } from '../../../../src/htools/cluster/storage/storage.ts';
import { storageReport } from '../../../../src/htools/cluster/storage/storage-report.ts';
import { type N1NodeReport, n1Report } from '../../../../src/htools/model/redundancy/shared/n1-report.ts';
import {
  SharedStorageN1,
  type SharedStorageOptions,
} from '../../../../src/htools/model/redundancy/shared/shared-storage.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { InputError } from '../../../../src/kit/faults.ts';

/** One line of the table: what the file shows, and what is expected of it. See testdata/storage/README.md. */
interface Case {
  readonly file: string;
  readonly shows: string;
  readonly verdicts?: Record<string, string>;
  readonly countOffline?: Record<string, string>;
  readonly searchBudget?: number;
  readonly needsSearch?: boolean;
  readonly restarts?: Record<string, Record<string, string>>;
  readonly degraded?: Record<string, string[]>;
  readonly pools?: Record<string, Record<string, unknown>>;
  readonly poolOf?: Record<string, string | null>;
  readonly stated?: boolean;
  readonly misplaced?: string[];
  readonly warnings?: string[];
  readonly problems?: string[];
  readonly lacksInternal?: string[];
  readonly readError?: { readonly line: number; readonly problem: string };
}

const FOLDER = new URL('../../../../testdata/storage/', import.meta.url);
const CASES = JSON.parse(readFileSync(new URL('cases.json', FOLDER), 'utf8')) as Case[];

const load = (file: string): Snapshot =>
  prepareSnapshot(parseText(readFileSync(new URL(file, FOLDER)), file), {}).snapshot;

const reportsOf = (snapshot: Snapshot, options: SharedStorageOptions): Map<string, N1NodeReport> => {
  const n1 = new SharedStorageN1(new ClusterState(snapshot), describeStorage(snapshot), options);
  return new Map(n1Report(n1).nodes.map((report) => [report.node, report]));
};

const verdictText = ({ verdict, shortfall }: N1NodeReport): string =>
  shortfall ? `${verdict} ${shortfall.resource} ${shortfall.missing}` : verdict;

function checkVerdicts(snapshot: Snapshot, expected: Record<string, string>, options: SharedStorageOptions) {
  const reports = reportsOf(snapshot, options);
  const found = Object.keys(expected).map((node) => [node, verdictText(reports.get(node)!)]);
  expect(Object.fromEntries(found)).to.deep.equal(expected);
}

function checkStorage(snapshot: Snapshot, one: Case): void {
  const storage = describeStorage(snapshot);
  const report = storageReport(snapshot, storage);
  expect(report.misplaced).to.deep.equal(one.misplaced ?? []);
  expect(storage.problems().map(({ problem }) => problem)).to.have.length((one.problems ?? []).length);
  one.problems?.forEach((text, k) => {
    expect(storage.problems()[k]!.problem).to.include(text);
  });
  for (const text of one.warnings ?? []) expect(report.warnings.join('\n')).to.include(text);
  if (!one.warnings && !one.misplaced) expect(report.warnings).to.deep.equal([]);
  if (one.stated !== undefined) expect(report.isStated).to.equal(one.stated);
  if (one.lacksInternal) {
    const lacking = snapshot.nodes.filter((_, n) => storage.lacksInternal[n]).map(({ name }) => name);
    expect(lacking).to.deep.equal(one.lacksInternal);
  }
  for (const [name, pool] of Object.entries(one.poolOf ?? {})) {
    const i = snapshot.instances.findIndex((instance) => instance.name === name);
    expect(storage.poolOf(i) ?? null, `pool of ${name}`).to.equal(pool);
  }
  for (const [id, wanted] of Object.entries(one.pools ?? {})) {
    const pool = report.pools.find((candidate) => candidate.pool === id);
    expect(pool && { ...pool, nodes: pool.nodes.length }, id).to.include.keys(Object.keys(wanted));
    for (const [key, value] of Object.entries(wanted)) {
      expect({ ...pool!, nodes: pool!.nodes.length }[key as 'nodes'], `${key} of ${id}`).to.deep.equal(value);
    }
  }
}

function checkRestarts(snapshot: Snapshot, one: Case): void {
  const reports = reportsOf(snapshot, {});
  for (const [node, wanted] of Object.entries(one.restarts ?? {})) {
    const restarts = reports.get(node)!.restarts!.map((restart) => [restart.instance, restart.node]);
    expect(Object.fromEntries(restarts), `restarts of ${node}`).to.deep.equal(wanted);
  }
  for (const [node, wanted] of Object.entries(one.degraded ?? {})) {
    expect(reports.get(node)!.degraded, `degraded of ${node}`).to.deep.equal(wanted);
  }
}

describe('the hand-made storage cases', () => {
  it('are at least forty, and every file has its line', () => {
    expect(CASES).to.have.length.of.at.least(40);
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.data'));
    expect(CASES.map(({ file }) => file)).to.have.members(files);
  });

  for (const one of CASES) {
    it(`${one.file}: ${one.shows}`, () => {
      if (one.readError) {
        expect(() => load(one.file))
          .to.throw(InputError)
          .with.property('problems')
          .that.satisfies(([first]: InputError['problems']) => {
            expect(first!.line).to.equal(one.readError!.line);
            expect(first!.problem).to.include(one.readError!.problem);
            return true;
          });
        return;
      }
      const snapshot = load(one.file);
      checkStorage(snapshot, one);
      checkVerdicts(snapshot, one.verdicts ?? {}, { searchBudget: one.searchBudget });
      if (one.countOffline) checkVerdicts(snapshot, one.countOffline, { countOffline: true });
      if (one.needsSearch) {
        const [node] = Object.keys(one.verdicts!);
        checkVerdicts(snapshot, { [node!]: 'unproven' }, { searchBudget: 0 });
      }
      checkRestarts(snapshot, one);
    });
  }
});
