import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { ALLOWED, FAIL_MODES } from '../../../src/htools/cluster/refusal.ts';
import { refusalOfMove } from '../../../src/htools/explain/move-refusal.ts';
import { Scorer } from '../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../src/htools/planners/balance/options.ts';
import { tryAllOf } from '../../builders/every-candidate.ts';
import { clusterOfAnySort, nodesByGroup } from '../../builders/random-cluster.ts';
import { forSeeds } from '../../builders/seeds.ts';

/** Asked when an instance comes to a group, and not within one. */
const ABOUT_ARRIVALS = ['policy', 'pool-space'];
/** Moves of balancing are made for the template: nobody proposes a secondary to an instance that has none. */
const NOT_PROPOSED = ['secondary'];

const rulesOfThePage = (): string[] =>
  [
    ...readFileSync(new URL('../../../docs/reference/rules.md', import.meta.url), 'utf8').matchAll(
      /^\| ([a-z0-9-]+) \|.*`src\/htools\/model\//gm,
    ),
  ].map(([, name]) => name!);

describe('which rule refuses a move', () => {
  it('is one of the page of rules, each of which refuses some move of a random cluster', () => {
    const seen = new Set<string>();
    forSeeds(100, (seed) => {
      const snapshot = clusterOfAnySort(seed);
      const state = new ClusterState(snapshot);
      const random = new Random(seed, 'refusals');
      const ignoreSoftErrors = random.chance(0.1);
      const options = { ...DEFAULT_BALANCE_OPTIONS, ignoreSoftErrors };
      for (const nodes of nodesByGroup(snapshot)) {
        const scorer = new Scorer(state, nodes);
        for (let i = 0; i < state.instanceCount; i++) {
          if (!nodes.includes(state.primary[i]!)) continue;
          for (const { kind, target, refusal } of tryAllOf(state, scorer, i, options)) {
            const found = refusalOfMove(state, { instance: i, kind, target }, ignoreSoftErrors);
            expect(found?.mode, `instance ${i}, kind ${kind} to ${target}`).to.equal(
              refusal === ALLOWED ? undefined : FAIL_MODES[refusal],
            );
            if (found) seen.add(found.rule);
          }
        }
      }
    });
    const others = [...ABOUT_ARRIVALS, ...NOT_PROPOSED];
    expect([...seen].sort()).to.deep.equal(
      rulesOfThePage()
        .filter((name) => !others.includes(name))
        .sort(),
    );
  });
});
