/**
 * The example of docs/reference/metrics.md, worked out again: by hand here, by the code, and as the page
 * prints it.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { METRIC_TABLE, type MetricName } from '../../../../src/htools/cluster/metric-table.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { METRICS } from '../../../../src/htools/model/score/metrics.ts';
import { optimalScore, Scorer } from '../../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';

const DATA = new URL('../../../../testdata/docs/metrics.data', import.meta.url);
const PAGE = new URL('../../../../docs/reference/metrics.md', import.meta.url);
const DIGITS = 1e-8;

/** Standard deviation of the nodes' values, as the page defines it. */
function deviation(...values: number[]): number {
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  return Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / values.length);
}

/** From the figures of the file: nodes a, b, c are online, d is offline. */
const BY_HAND: Readonly<Record<MetricName, number>> = {
  free_mem_cv: deviation(6000 / 10000, 2500 / 10000, 9000 / 10000),
  free_disk_cv: deviation(40000 / 100000, 50000 / 100000, 90000 / 100000),
  n1_cnt: 2 + 1,
  reserved_mem_cv: deviation(6500 / 10000, 2000 / 10000, 1000 / 10000),
  offline_all_cnt: 1 + 1,
  offline_pri_cnt: 1,
  vcpu_ratio_cv: deviation((2 + 1) / 10, 4 / 10, 0),
  cpu_load_cv: deviation(2, 1, 0),
  mem_load_cv: deviation(2, 1, 0),
  disk_load_cv: deviation(3, 2, 1),
  net_load_cv: deviation(2, 1, 0),
  pri_tags_score: 1,
  spindles_cv: deviation(3 / 10, 2 / 10, 1 / 10),
  free_mem_cv_forth: deviation(6000 / 10000, 2500 / 10000, 8000 / 10000),
  free_disk_cv_forth: deviation(40000 / 100000, 40000 / 100000, 80000 / 100000),
  vcpu_ratio_cv_forth: deviation(3 / 10, 4 / 10, 1 / 10),
  spindles_cv_forth: deviation(3 / 10, 3 / 10, 2 / 10),
  location_score: 1 + (1 + 1),
  location_exclusion_score: 1,
  reserved_mem_rtotal: 6500 / 10000 + 2000 / 10000 + 1000 / 10000,
};

/** Printed by the stock programs for the same file. */
const STOCK_SCORE = 37.4031939;

describe('the worked example of the metrics', () => {
  const { snapshot } = prepareSnapshot(parseText(readFileSync(DATA), 'metrics.data'), {});
  const state = new ClusterState(snapshot);
  const nodes = snapshot.nodes.map((_, node) => node);
  const scorer = new Scorer(state, nodes);

  for (const [m, { name }] of METRICS.entries()) {
    it(`has the ${name} that one gets by hand`, () => {
      expect(scorer.values[m]).to.be.closeTo(BY_HAND[name], 1e-14);
    });
  }

  it('has the score that stock hinfo and hbal print', () => {
    expect(scorer.score).to.be.closeTo(STOCK_SCORE, DIGITS);
  });

  it('has the lower bound that one gets by hand', () => {
    const reserved = 6500 + 2000 + 1000 + 1000;
    expect(optimalScore(state, nodes)).to.be.closeTo(0.25 * (reserved / 30000 - reserved / 40000), 1e-15);
  });

  it('stands in the page with these values and weights', () => {
    const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` \| ([\d.]+) \| x ([\d.]+) \|/gm);
    const printed = [...rows].map(([, name, value, weight]) => [name, value, Number(weight)]);
    const expected = METRICS.map(({ name }, m) => [
      name,
      scorer.values[m]!.toFixed(8),
      METRIC_TABLE[name].weight,
    ]);
    expect(printed).to.deep.equal(expected);
  });

  it('has a chapter in the page for each metric', () => {
    const chapters = [...readFileSync(PAGE, 'utf8').matchAll(/^### `(\w+)`/gm)].map(([, name]) => name!);
    expect(chapters.sort()).to.deep.equal(METRICS.map(({ name }) => name).sort());
  });
});
