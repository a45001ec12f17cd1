import { expect } from 'chai';
import { NO_NODE } from '../../../../../src/htools/cluster/snapshot.ts';
import { RandomStream } from '../../../../../src/htools/planners/anneal/random.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { makeLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { orderSteps } from '../../../../../src/htools/planners/search/order/order.ts';
import { realise, type TakenStep } from '../../../../../src/htools/planners/search/order/realise.ts';
import { type InstanceSketch, smallState } from '../../../../builders/small-cluster.ts';

/** So many that clusters are no longer looked at whole. */
const MANY = 20;
const onShared = (primary: number, memMib: number): InstanceSketch => ({
  primary,
  secondary: NO_NODE,
  diskTemplate: 'ext',
  memMib,
});

interface Exchange {
  readonly memMib: number;
  readonly nodes: number;
  /** Small instances that stay on the last node. */
  readonly others: number;
}

/** Instances 0 and 1 are to change their nodes 0 and 1; the steps as the real rules let them be taken. */
function exchange({ memMib, nodes, others }: Exchange): { steps: readonly TakenStep[]; left: number } {
  const cluster = {
    nodes: Array.from({ length: nodes }, () => ({})),
    instances: [
      onShared(0, memMib),
      onShared(1, memMib),
      ...Array.from({ length: others }, () => onShared(nodes - 1, 64)),
    ],
  };
  const positions = cluster.nodes.map((_, n) => n);
  const layout = makeLayout(smallState(cluster), positions, DEFAULT_BALANCE_OPTIONS);
  const primary = layout.primary.slice();
  primary.set([1, 0]);
  const { steps, left } = orderSteps(
    layout,
    { primary, secondary: layout.secondary },
    new RandomStream(1, 0),
  );
  return { steps: realise(smallState(cluster), positions, steps, DEFAULT_BALANCE_OPTIONS), left };
}

describe('detours', () => {
  for (const others of [0, MANY]) {
    describe(`with ${others} other instances`, () => {
      it('are made where two instances wait for each other, and the plan says so', () => {
        const { steps, left } = exchange({ memMib: 9216, nodes: 3, others });
        expect(left).to.equal(0);
        expect(steps.map(({ isDetour }) => isDetour)).to.deep.equal([true, false, false]);
        expect(steps[0]!.toPrimary).to.equal(2);
        expect(steps[2]!.instance).to.equal(steps[0]!.instance);
        expect(steps.at(-1)!.toPrimary).to.equal(1 - steps[1]!.toPrimary);
      });

      it('are not made where there is a straight way', () => {
        const { steps, left } = exchange({ memMib: 4096, nodes: 3, others });
        expect(left).to.equal(0);
        expect(steps.map(({ isDetour }) => isDetour)).to.deep.equal([false, false]);
      });

      it('are not begun where they lead nowhere', () => {
        const { steps, left } = exchange({ memMib: 9216, nodes: 2, others });
        expect(left).to.equal(2);
        expect(steps).to.deep.equal([]);
      });
    });
  }
});
