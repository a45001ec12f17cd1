import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { ALLOWED } from '../../../../../src/htools/cluster/refusal.ts';
import { applyMove } from '../../../../../src/htools/model/moves/apply.ts';
import { FAILOVER_TO_ANY, REPLACE_SECONDARY } from '../../../../../src/htools/model/moves/kinds.ts';
import {
  PLACE,
  TargetChooser,
  type TargetKind,
} from '../../../../../src/htools/model/redundancy/drbd/best-target.ts';
import { Scorer } from '../../../../../src/htools/model/score/scorer.ts';
import {
  ClusterState,
  MIRROR_EXTERNAL,
  MIRROR_INTERNAL,
} from '../../../../../src/htools/model/state/state.ts';
import { randomCluster } from '../../../../builders/random-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { smallState, times } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';

type MovingKind = Exclude<TargetKind, typeof PLACE>;

/** The last of the best targets, by making each move on the state and taking it back. */
function byTheBook(
  state: ClusterState,
  nodes: readonly number[],
  i: number,
  kind: MovingKind,
  targets: readonly number[],
  ignoreSoftErrors: boolean,
): number | undefined {
  let best: { readonly target: number; readonly score: number } | undefined;
  for (const target of targets) {
    const mark = state.journal.mark();
    if (applyMove(state, i, kind, target, ignoreSoftErrors) === ALLOWED) {
      const { score } = new Scorer(state, nodes);
      if (best === undefined || !(best.score < score)) best = { target, score };
    }
    state.journal.rollback(mark);
  }
  return best?.target;
}

describe('the best target of an instance', () => {
  it('is the one that trying all of them finds, and nothing changes', () => {
    const seen = { found: 0, none: 0 };
    forSeeds(60, (seed) => {
      const random = new Random(seed, 'best target');
      const state = new ClusterState(randomCluster(seed));
      const nodes = [...state.snapshot.nodes.keys()];
      const chooser = new TargetChooser(state, nodes);
      for (let i = 0; i < state.instanceCount; i++) {
        const mirroring = state.mirroring[i]!;
        if (mirroring !== MIRROR_EXTERNAL && mirroring !== MIRROR_INTERNAL) continue;
        const kind = mirroring === MIRROR_EXTERNAL ? FAILOVER_TO_ANY : REPLACE_SECONDARY;
        const targets = nodes.filter((n) => n !== state.primary[i] && n !== state.secondary[i]);
        const isForced = random.chance(0.3);
        const before = imageOf(state);
        const choice = chooser.choose(i, kind, targets, isForced);
        expect(imageOf(state)).to.deep.equal(before);
        const book = byTheBook(state, nodes, i, kind, targets, isForced);
        expect(choice, `seed ${seed}, instance ${i}`).to.equal(book);
        seen[choice === undefined ? 'none' : 'found']++;
      }
    });
    expect(seen.found).to.be.above(50);
    expect(seen.none).to.be.above(10);
  });

  it('is the last of equal ones, for what moves and for what is placed', () => {
    const state = smallState({ nodes: times(5, () => ({})), instances: [{ diskTemplate: 'ext' }] });
    const nodes = [0, 1, 2, 3, 4];
    const chooser = new TargetChooser(state, nodes);
    expect(chooser.choose(0, FAILOVER_TO_ANY, [1, 2, 3], false)).to.equal(3);
    const i = state.addInstance({ ...state.snapshot.instances[0]!, primary: -1, secondary: -1 });
    expect(chooser.choose(i, PLACE, [1, 2, 3, 4], false)).to.equal(4);
  });

  it('follows what changed once that is told', () => {
    const state = smallState({
      nodes: times(3, () => ({})),
      instances: times(4, () => ({ diskTemplate: 'ext' as const })),
    });
    const chooser = new TargetChooser(state, [0, 1, 2]);
    applyMove(state, 1, FAILOVER_TO_ANY, 2, false);
    chooser.refresh([0, 2]);
    expect(chooser.choose(0, FAILOVER_TO_ANY, [1, 2], false)).to.equal(1);
    expect(chooser.refusals).to.deep.equal([ALLOWED, ALLOWED]);
  });

  it('may be a node whose figures are no numbers, as those of one that is offline and reports nothing', () => {
    const state = smallState({
      nodes: [{}, {}, { isOffline: true, spindles: 0 }],
      instances: [{ diskTemplate: 'ext' }],
    });
    const chooser = new TargetChooser(state, [0, 1, 2]);
    const i = state.addInstance({ ...state.snapshot.instances[0]!, primary: -1, secondary: -1 });
    expect(chooser.choose(i, PLACE, [2], true)).to.equal(2);
  });
});
