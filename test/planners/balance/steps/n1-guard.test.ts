import { expect } from 'chai';
import * as fc from 'fast-check';
import { prepareSnapshot } from '../../../../src/cluster/prepare/prepare.ts';
import { ALLOWED } from '../../../../src/cluster/refusal.ts';
import type { Instance, Snapshot } from '../../../../src/cluster/snapshot.ts';
import { usesNodeDisk } from '../../../../src/cluster/templates.ts';
import { applyMove } from '../../../../src/model/moves/apply.ts';
import type { Move } from '../../../../src/model/moves/kinds.ts';
import { Scorer } from '../../../../src/model/score/scorer.ts';
import { ClusterState } from '../../../../src/model/state/state.ts';
import type { BalanceOptions } from '../../../../src/planners/balance/options.ts';
import { N1Guard } from '../../../../src/planners/balance/steps/n1-guard.ts';
import { touchedNodes } from '../../../../src/planners/balance/steps/trial.ts';
import { tryAllOf } from '../../../builders/every-candidate.ts';
import { EveryWay } from '../../../model/redundancy/every-way.ts';
import { smallClusters } from '../../../model/redundancy/random-clusters.ts';
import { aCluster } from '../../../plan/cluster-builder.ts';

const START = Number(process.env.PROPERTY_SEED ?? 20);
const FACTOR = Number(process.env.PROPERTY_FACTOR ?? 1);

const OPTIONS = {
  diskMoves: true,
  instanceMoves: true,
  ignoreSoftErrors: false,
  restrictedMigration: false,
  evacuationOnly: false,
} as unknown as BalanceOptions;

const RUNNING = new Set(['running', 'ERROR_up', 'ERROR_nodedown', 'ERROR_nodeoffline', 'ERROR_wrongnode']);

/** What an instance takes on a node where it runs or keeps a copy, from the records alone. */
function taken(instance: Instance, isPrimary: boolean) {
  const hasDisk = usesNodeDisk(instance.diskTemplate);
  return {
    mem: isPrimary && RUNNING.has(instance.status) ? instance.memMib : 0,
    disk: hasDisk ? instance.diskMib : 0,
    spindles: hasDisk ? instance.disks.reduce((sum, disk) => sum + (disk.spindles ?? 0), 0) : 0,
  };
}

/** The snapshot with one instance elsewhere. */
function withPlacement(snapshot: Snapshot, i: number, primary: number, secondary: number): Snapshot {
  const before = snapshot.instances[i]!;
  const nodes = snapshot.nodes.map((node, n) => {
    let { freeMemMib, freeDiskMib, freeSpindles } = node;
    const change = (sign: 1 | -1, isPrimary: boolean): void => {
      const load = taken(before, isPrimary);
      freeMemMib += sign * load.mem;
      freeDiskMib += sign * load.disk;
      freeSpindles += sign * load.spindles;
    };
    if (before.primary === n) change(1, true);
    if (before.secondary === n) change(1, false);
    if (primary === n) change(-1, true);
    if (secondary === n) change(-1, false);
    return { ...node, freeMemMib, freeDiskMib, freeSpindles };
  });
  const instances = snapshot.instances.with(i, { ...before, primary, secondary });
  return { ...snapshot, nodes, instances };
}

/** Nodes that may fail without loss, by trying every way. */
const healthyNodes = (snapshot: Snapshot): Set<number> => {
  const all = [...snapshot.nodes.keys()];
  const every = new EveryWay(snapshot);
  return new Set(all.filter((n) => every.exists(n)));
};

interface JudgedMove extends Move {
  readonly isAllowed: boolean;
  readonly isHarmless: boolean;
}

/** What the guard says to each possible move between the nodes of the first group, and what trying every way says. */
function judgements(state: ClusterState, snapshot: Snapshot): JudgedMove[] {
  const nodes = [...snapshot.nodes.keys()].filter((n) => snapshot.nodes[n]!.group === 0);
  const guard = new N1Guard(state, state.anyStorage(), nodes);
  const scorer = new Scorer(state, nodes);
  const healthy = healthyNodes(snapshot);
  const judged: JudgedMove[] = [];
  for (let i = 0; i < snapshot.instances.length; i++) {
    const { primary, secondary } = { primary: state.primary[i]!, secondary: state.secondary[i]! };
    if (!nodes.includes(primary) || (secondary >= 0 && !nodes.includes(secondary))) continue;
    if (!snapshot.instances[i]!.isMovable) continue;
    for (const { instance, kind, target, refusal } of tryAllOf(state, scorer, i, OPTIONS)) {
      if (refusal !== ALLOWED) continue;
      const mark = state.journal.mark();
      applyMove(state, instance, kind, target, false);
      const after = withPlacement(snapshot, i, state.primary[i]!, state.secondary[i]!);
      state.journal.rollback(mark);
      const healthyAfter = healthyNodes(after);
      const isHarmless = nodes.every((n) => !healthy.has(n) || healthyAfter.has(n));
      judged.push({
        instance,
        kind,
        target,
        isAllowed: guard.allows({ instance, kind, target }, false),
        isHarmless,
      });
    }
  }
  return judged;
}

/** A cluster some of whose nodes hand out whole spindles. */
const spindled = (snapshot: Snapshot, picks: readonly number[]): Snapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node, n) => {
    const freeSpindles = picks[n % picks.length]! % 5;
    return (picks[n % picks.length]! & 8) === 0
      ? node
      : { ...node, hasExclusiveStorage: true, spindles: freeSpindles + 4, freeSpindles };
  }),
  instances: snapshot.instances.map((instance, i) => {
    const spindles = picks[(i + 1) % picks.length]! % 4;
    return { ...instance, disks: instance.disks.map((disk) => ({ ...disk, spindles })) };
  }),
});

describe('the N+1 guard', () => {
  it('lets an instance whose disks are elsewhere come to a node without spindles to spare', () => {
    const exclusive = { hasExclusiveStorage: true, spindles: 8, freeSpindles: 3, totalDiskMib: 4096 };
    const start = aCluster({
      nodes: [{ totalDiskMib: 0 }, exclusive, { totalDiskMib: 1024 }],
      instances: [
        {
          diskTemplate: 'ext',
          primary: 0,
          memMib: 512,
          diskMib: 1024,
          disks: [{ sizeMib: 1024, spindles: 3 }],
        },
        // Needs the three spindles of the second node when the third fails.
        {
          diskTemplate: 'plain',
          primary: 2,
          memMib: 512,
          diskMib: 1024,
          disks: [{ sizeMib: 1024, spindles: 3 }],
        },
      ],
    });
    const { snapshot } = prepareSnapshot(start, {});
    const state = new ClusterState(snapshot);
    const found = judgements(state, snapshot).find(({ instance, target }) => instance === 0 && target === 1);
    expect(found).to.include({ isHarmless: true, isAllowed: true });
  });

  it('passes over those moves, and no others, that make a healthy node fail', () => {
    let refused = 0;
    let allowed = 0;
    const picks = fc.array(fc.nat({ max: 15 }), { minLength: 3, maxLength: 7 });
    const clusters = smallClusters({ nodes: 5, instances: 7 });
    fc.assert(
      fc.property(clusters, picks, (plain, numbers) => {
        const { snapshot } = prepareSnapshot(spindled(plain, numbers), {});
        for (const { isAllowed, isHarmless, ...move } of judgements(new ClusterState(snapshot), snapshot)) {
          expect(isAllowed, JSON.stringify(move)).to.equal(isHarmless);
          if (isAllowed) allowed++;
          else refused++;
        }
      }),
      { seed: START, numRuns: Math.ceil(200 * FACTOR) },
    );
    expect(refused).to.be.greaterThan(20);
    expect(allowed).to.be.greaterThan(50);
  }).timeout(60_000);

  it('says the same after steps that were taken', () => {
    const clusters = smallClusters({ nodes: 4, instances: 6 });
    fc.assert(
      fc.property(clusters, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (plain, steps) => {
        const { snapshot } = prepareSnapshot(spindled(plain, [9, 3, 12, 5, 8]), {});
        const state = new ClusterState(snapshot);
        const nodes = [...snapshot.nodes.keys()].filter((n) => snapshot.nodes[n]!.group === 0);
        const guard = new N1Guard(state, state.anyStorage(), nodes);
        let records = snapshot;
        for (const step of steps) {
          const judged = judgements(state, records);
          if (judged.length === 0) return;
          for (const { isAllowed, isHarmless, ...move } of judged) {
            expect(guard.allows(move, false)).to.equal(isHarmless);
            expect(isAllowed).to.equal(isHarmless);
          }
          const { instance, kind, target } = judged[step % judged.length]!;
          const touched = touchedNodes(state, instance, target);
          applyMove(state, instance, kind, target, false);
          guard.refresh(touched);
          records = withPlacement(records, instance, state.primary[instance]!, state.secondary[instance]!);
        }
      }),
      { seed: START, numRuns: Math.ceil(30 * FACTOR) },
    );
  }).timeout(60_000);
});
