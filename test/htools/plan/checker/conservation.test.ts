import { expect } from 'chai';
import { buildReplica } from '../../../../src/htools/plan/checker/built-replica.ts';
import { conservationRules } from '../../../../src/htools/plan/checker/conservation.ts';
import type { Replica } from '../../../../src/htools/plan/checker/replica.ts';
import { aCluster } from '../cluster-builder.ts';

const aStart = (): Replica =>
  buildReplica(aCluster({ nodes: [{}, {}, {}], instances: [{}, { isForthcoming: true }] }));

/** Messages after a change that no move makes. @param nodes those that the plan touched */
function afterTampering(tamper: (replica: Replica) => void, nodes = [0, 1, 2]): string[] {
  const after = aStart();
  tamper(after);
  const before = nodes.map((node) => aStart().nodes[node]!);
  return conservationRules(before, after, []).map(({ rule, message }) => `${rule}: ${message}`);
}

describe('conservation in a plan', () => {
  it('finds nothing when nothing changed', () => {
    expect(afterTampering(() => {})).to.deep.equal([]);
  });

  it('finds an instance that lost its primary', () => {
    expect(afterTampering((replica) => replica.nodes[0]!.primaries.delete(0))).to.deep.equal([
      'nothing-lost: inst1 has primary on no node',
    ]);
  });

  it('finds an instance with two primaries', () => {
    expect(afterTampering((replica) => replica.nodes[2]!.primaries.add(0))).to.deep.equal([
      'nothing-lost: inst1 has primary on node1, node3',
    ]);
  });

  it('finds a forthcoming instance that lost its secondary', () => {
    expect(afterTampering((replica) => replica.nodes[1]!.forthcomingSecondaries.delete(1))).to.deep.equal([
      'nothing-lost: inst2 has secondary on no node',
    ]);
  });

  it('finds an instance that is elsewhere than noted', () => {
    expect(
      afterTampering((replica) => {
        replica.secondaryOf[0] = 2;
      }),
    ).to.deep.equal(['nothing-lost: inst1 has secondary on node2']);
  });

  it('finds what was doubled or lost on the nodes of the plan, wherever else the instance is', () => {
    expect(afterTampering((replica) => replica.nodes[2]!.primaries.add(0), [1, 2])).to.deep.equal([
      'nothing-lost: inst1 has primary on node3',
    ]);
    expect(afterTampering((replica) => replica.nodes[0]!.primaries.delete(0), [0])).to.deep.equal([
      'nothing-lost: inst1 has primary on no node',
    ]);
  });

  it('finds memory and disk that came from nowhere', () => {
    expect(
      afterTampering((replica) => {
        replica.nodes[0]!.now.freeMemMib += 5;
        replica.nodes[1]!.now.freeDiskMib += 7;
        replica.nodes[1]!.planned.freeMemMib -= 1;
        replica.nodes[1]!.planned.freeDiskMib -= 2;
      }),
    ).to.deep.equal([
      "conservation: free memory of the plan's nodes was 45056 MiB and is 45061 MiB",
      "conservation: free disk of the plan's nodes was 299008 MiB and is 299015 MiB",
      "conservation: free memory with forthcoming instances of the plan's nodes was 44032 MiB and is 44031 MiB",
      "conservation: free disk with forthcoming instances of the plan's nodes was 290816 MiB and is 290814 MiB",
    ]);
  });
});
