/**
 * The nodes of a move and what is on them, which decide whether it is allowed. A state is built for each
 * change that might lift a refusal, and of a large cluster that takes a hundred times as long as of this.
 */
import type { Instance, Node, Snapshot } from '../cluster/snapshot.ts';
import type { Move } from '../model/moves/kinds.ts';
import { memAtStart, movedNode, movedSnapshot } from '../model/state/moved-snapshot.ts';
import type { ClusterState } from '../model/state/state.ts';
import { TrueSpindles } from '../model/state/true-spindles.ts';

export class CutOuts {
  private readonly spindles: TrueSpindles;
  private readonly memAtStart: Float64Array;

  constructor(private readonly state: ClusterState) {
    this.spindles = new TrueSpindles(state);
    this.memAtStart = memAtStart(state.snapshot);
  }

  /** The cluster as it stands, as far as the move's rules look; all of it where pools or sets reach on. */
  around(move: Move): { readonly snapshot: Snapshot; readonly move: Move } {
    const { state } = this;
    if (state.storage || state.placement.hasMates(move.instance))
      return { snapshot: movedSnapshot(state), move };
    const { instances, nodes } = this.near(move);
    const placeOf = new Map(nodes.map((n, place) => [n, place]));
    const at = (n: number): number => placeOf.get(n) ?? n;
    const { snapshot } = state;
    return {
      snapshot: {
        ...snapshot,
        nodes: nodes.map((n): Node => movedNode(state, n, this.memAtStart, this.spindles)),
        instances: instances.map((i): Instance => {
          const record = state.instanceRecord(i);
          return { ...record, primary: at(state.primary[i]!), secondary: at(state.secondary[i]!) };
        }),
      },
      move: { ...move, instance: instances.indexOf(move.instance), target: at(move.target) },
    };
  }

  /** Positions of the instances on the move's nodes, and of all nodes that these are on, ascending. */
  private near({ instance, target }: Move): { readonly instances: number[]; readonly nodes: number[] } {
    const { state } = this;
    const own = [state.primary[instance]!, state.secondary[instance]!, target].filter((n) => n >= 0);
    const lists = [
      state.primaries,
      state.secondaries,
      state.forthcomingPrimaries,
      state.forthcomingSecondaries,
    ];
    const instances = new Set(own.flatMap((n) => lists.flatMap((list) => list[n]!)));
    const nodes = new Set(own);
    for (const i of instances)
      for (const n of [state.primary[i]!, state.secondary[i]!]) if (n >= 0) nodes.add(n);
    const sorted = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => a - b);
    return { instances: sorted(instances), nodes: sorted(nodes) };
  }
}
