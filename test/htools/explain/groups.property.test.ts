import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import type { Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { explainRelocations } from '../../../src/htools/explain/groups/explain-relocations.ts';
import { RelocationTrials } from '../../../src/htools/explain/groups/try-relocation.ts';
import { withChanges } from '../../../src/htools/explain/lifts.ts';
import { scoreOf } from '../../../src/htools/model/score/scorer.ts';
import * as F from '../../../src/htools/model/state/node-fields.ts';
import { groupScope } from '../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { USUAL_RATES } from '../../../src/htools/plan/price.ts';
import { isReclaimable, judgeGroups } from '../../../src/htools/planners/groups/empty/compress.ts';
import { redistribute } from '../../../src/htools/planners/groups/heal/redistribute.ts';
import { survey } from '../../../src/htools/planners/groups/heal/survey.ts';
import { findHome } from '../../../src/htools/planners/groups/homes/homes.ts';
import { GroupRules, stayRule } from '../../../src/htools/planners/groups/homes/leaving.ts';
import { SuperCluster } from '../../../src/htools/planners/groups/homes/super-cluster.ts';
import { planFacts } from '../../../src/htools/planners/groups/relocate/plan-facts.ts';
import type { Relocation } from '../../../src/htools/planners/groups/relocate/relocation.ts';
import { snapshotAfter } from '../../../src/htools/planners/groups/relocate/relocation-plan.ts';
import { Spreading } from '../../../src/htools/planners/groups/spread/spread.ts';
import type { GroupChange, RelocationTry } from '../../../src/htools/results/parts/relocations.ts';
import { forSeeds, halved } from '../../builders/seeds.ts';
import { randomSuperCluster } from '../../builders/super-cluster.ts';
import { runBuilt } from '../../suite/run-built.ts';

const SMALL = { groups: [2, 4], nodes: [2, 4] } as const;
const TEN_DIGITS = 1e-10;
const ROUNDING = 1e-9;
const SPREAD = {
  diskMoves: true,
  maxSteps: 6,
  minScore: 0,
  minGain: 0.001,
  minGainLimit: 0.1,
  only: undefined,
} as const;

const close = (a: number, b: number, within: number): boolean =>
  Object.is(a, b) || Math.abs(a - b) <= within * Math.max(1, Math.abs(a), Math.abs(b));

const groupCalled = ({ groups }: Snapshot, name: string): number =>
  groups.findIndex((one) => one.name === name);

/** Score of a group in a cluster that is read anew. */
const scoreIn = (snapshot: Snapshot, group: string): number =>
  scoreOf(new ClusterState(snapshot), groupScope(snapshot, groupCalled(snapshot, group)).nodes);

/**
 * Where the reported memory decides about N+1 when a cluster is read, and the recorded one after a move
 * (docs/reference/metrics.md, n1_cnt).
 */
function isOdd(snapshot: Snapshot): boolean {
  const { nodeFields } = new ClusterState(snapshot);
  const field = (n: number, name: number): number => nodeFields[n * F.NODE_STRIDE + name]!;
  return snapshot.nodes.some(
    (_, n) => field(n, F.FREE_MEM) <= field(n, F.RESERVED_MEM) !== (field(n, F.FAILS_N1) === 1),
  );
}

function expectSum({ metrics, gain, group }: GroupChange): void {
  const sum = metrics.reduce((total, one) => total + one.gain, 0);
  expect(close(sum, gain, TEN_DIGITS), `${group}: metrics add up to ${sum}, gain ${gain}`).to.equal(true);
}

function plansOf(
  seed: number,
): { readonly snapshot: Snapshot; readonly relocations: readonly Relocation[] }[] {
  const clusterOf = (): SuperCluster =>
    new SuperCluster(randomSuperCluster(seed, SMALL, { brokenShare: seed % 2 === 0 ? 0.5 : 0 }));
  const healing = clusterOf();
  const emptying = clusterOf();
  const first = judgeGroups(emptying, () => {}, emptying.groups).find(isReclaimable);
  const evening = clusterOf();
  return [
    { snapshot: healing.snapshot, relocations: redistribute(healing, survey(healing)).relocations },
    { snapshot: emptying.snapshot, relocations: first?.outcome.relocations ?? [] },
    {
      snapshot: evening.snapshot,
      relocations: [...new Spreading(evening, SPREAD).steps()].map(({ relocation }) => relocation),
    },
  ];
}

const placeWords = ({ instance, to }: RelocationTry): string =>
  `move instance ${instance} primary=${to.primary}${to.secondary === null ? '' : ` secondary=${to.secondary}`}`;

describe('explaining between groups', () => {
  it('has gains that add up: of metrics to a move, of moves to the plan, and to the score of the saved outcome', () => {
    const seen = { plans: 0, moves: 0, refused: 0 };
    forSeeds(halved(2), (seed) => {
      for (const { snapshot, relocations } of plansOf(seed)) {
        if (relocations.length === 0) continue;
        const { moves } = planFacts(snapshot, relocations, USUAL_RATES);
        const none = new Set<number>();
        const facts = explainRelocations({ start: snapshot, moves, leftOut: none, emptied: none });
        const sums = new Map<string, number>();
        for (const step of facts.steps)
          for (const change of step.groups) {
            expectSum(change);
            sums.set(change.group, (sums.get(change.group) ?? 0) + change.gain);
            seen.refused += step.refused.length;
          }
        const after = snapshotAfter(snapshot, relocations);
        const isPlain = !isOdd(after) && !isOdd(snapshot);
        for (const change of facts.groups) {
          expectSum(change);
          expect(close(sums.get(change.group)!, change.gain, TEN_DIGITS), 'moves add up').to.equal(true);
          if (isPlain)
            expect(close(scoreIn(after, change.group), change.score, ROUNDING), 'as saved').to.equal(true);
        }
        seen.plans++;
        seen.moves += moves.length;
      }
    });
    expect(seen.plans).to.be.above(1);
    expect(seen.moves).to.be.above(4);
    expect(seen.refused).to.be.above(0);
  });

  it('--try tells the scores of the cluster with the move made, and what lifts a refusal does', () => {
    const seen = { tried: 0, allowed: 0, lifted: 0, across: 0 };
    forSeeds(10, (seed) => {
      const snapshot = randomSuperCluster(seed, SMALL);
      const random = new Random(seed, 'try');
      if (snapshot.instances.length === 0) return;
      for (let round = 0; round < 6; round++) {
        const i = random.below(snapshot.instances.length);
        const primary = random.below(snapshot.nodes.length);
        const mates = snapshot.nodes.flatMap((node, n) =>
          node.group === snapshot.nodes[primary]!.group ? [n] : [],
        );
        const secondary = random.chance(0.5) ? random.pick(mates) : -1;
        const cluster = new SuperCluster(snapshot);
        const told = new RelocationTrials(cluster).try(i, primary, secondary);
        if (!told) continue;
        const { isAllowed, groups, from, to, lift, refusals } = told;
        seen.tried++;
        if (from.group !== to.group) seen.across++;
        groups.forEach(expectSum);
        const moved = withChanges(snapshot, [placeWords(told)]);
        if (!isOdd(moved) && !isOdd(snapshot))
          for (const { group, score } of groups)
            expect(close(scoreIn(moved, group), score, ROUNDING), `${placeWords(told)} ${group}`).to.equal(
              true,
            );
        const placed = cluster.state.primary[i] === primary;
        expect(placed, 'made if and only if it is allowed').to.equal(
          isAllowed || from.primary === to.primary,
        );
        if (isAllowed) seen.allowed++;
        if (!lift) continue;
        expect(refusals).not.to.have.length(0);
        const at = (name: string | null): number => snapshot.nodes.findIndex((node) => node.name === name);
        const again = new RelocationTrials(new SuperCluster(withChanges(snapshot, lift)));
        const free = again.try(i, at(to.primary), to.secondary === null ? -1 : at(to.secondary));
        expect(free!.refusals, `after ${lift.join('; ')}`).to.deep.equal([]);
        seen.lifted++;
      }
    });
    expect(seen.allowed).to.be.above(4);
    expect(seen.tried - seen.allowed).to.be.above(9);
    expect(seen.across).to.be.above(18);
    expect(seen.lifted).to.be.above(2);
  });

  it('--try allows the home that the planner finds', () => {
    let found = 0;
    forSeeds(3, (seed) => {
      const snapshot = randomSuperCluster(seed, SMALL);
      const cluster = new SuperCluster(snapshot);
      const rules = new GroupRules(cluster);
      for (const i of snapshot.instances.keys()) {
        if (stayRule(cluster, i)) continue;
        const own = cluster.state.groupOf[cluster.state.primary[i]!]!;
        const open = rules
          .openTo(i)
          .filter((group) => group !== own && cluster.healthOf(group).state === 'healthy');
        const mark = cluster.mark();
        const home = findHome(cluster, i, open, { strategy: 'standard', refreshesOld: true });
        cluster.rollback(mark);
        if (home.kind !== 'found') continue;
        const { to } = home.relocation;
        const told = new RelocationTrials(new SuperCluster(snapshot)).try(i, to.primary, to.secondary);
        const { holds, groupRefusals, refusals } = told!;
        expect({ holds, groupRefusals, refusals }).to.deep.equal({
          holds: [],
          groupRefusals: [],
          refusals: [],
        });
        found++;
      }
    });
    expect(found).to.be.above(4);
  });

  it('the programs agree: hredist --try against hinfo on the cluster with the move made', () => {
    const file = 'testdata/super.data';
    for (const move of ['dns1=b1:b2', 'shop1=c1', 'db1=b3', 'ci1=d2', 'mail=d1']) {
      const [told] = (
        JSON.parse(runBuilt(`hredist -t ${file} --try ${move} --json`).stdout) as { try: RelocationTry[] }
      ).try;
      const edits = join(tmpdir(), `evenkeel-try-groups-${process.pid}.edits`);
      writeFileSync(edits, `${placeWords(told!)}\n`);
      const hinfo = JSON.parse(runBuilt(`hinfo -t ${file} --what-if @${edits} --json`).stdout) as {
        groups: { name: string; score: number }[];
      };
      for (const { group, score } of told!.groups) {
        const after = hinfo.groups.find(({ name }) => name === group)!;
        expect(close(after.score, score, ROUNDING), `${move} ${group}: ${score}, ${after.score}`).to.equal(
          true,
        );
      }
    }
  });
});
