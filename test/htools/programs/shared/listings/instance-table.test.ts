import { expect } from 'chai';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { wholeScope } from '../../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { listings } from '../../../../../src/htools/programs/shared/listings/listings.ts';
import { storyCluster } from '../../../plan/story.ts';

const STORY = storyCluster();

const listed = (snapshot: Snapshot, scope = wholeScope(snapshot)): string =>
  listings({ printInstances: true }, new ClusterState(snapshot), scope, 'Final cluster', 'Final');

/** What stock hbal prints for the story cluster. */
const STORY_TABLE = `\
 F Name              Pri_node          Sec_node          Auto_bal vcpu   mem   dsk  lCpu  lMem  lDsk  lNet
 R inst1.example.com node1.example.com node2.example.com Y           1  2048     4 1.000 1.000 1.000 1.000
 R inst2.example.com node1.example.com node2.example.com Y           1  2048     4 1.000 1.000 1.000 1.000
 R inst3.example.com node1.example.com node2.example.com Y           1  1024     4 1.000 1.000 1.000 1.000
   inst4.example.com node2.example.com node1.example.com Y           2   512     4 1.000 1.000 1.000 1.000
 R inst5.example.com node1.example.com                   Y           1  2048    10 1.000 1.000 1.000 1.000
   inst6.example.com node4.example.com node1.example.com Y           1   768     4 1.000 1.000 1.000 1.000
 R inst7.example.com node2.example.com node3.example.com Y           1  1024     4 1.000 1.000 1.000 1.000
`;

describe('the instance map', () => {
  it('is that of the stock program, under its title', () => {
    expect(listed(STORY)).to.equal(`\nFinal instance map:\n${STORY_TABLE}`);
  });

  it('comes in the order of the indices', () => {
    const { nodes, instances } = wholeScope(STORY);
    expect(listed(STORY, { nodes, instances: instances.toReversed() })).to.equal(listed(STORY));
  });

  it('says N for instances without auto_balance and shows loads with three decimals', () => {
    const utilisation = { cpu: 0.1235, mem: 12.5, disk: 0, net: 100 };
    const [first, ...others] = STORY.instances;
    const changed = { ...STORY, instances: [{ ...first!, isAutoBalanced: false, utilisation }, ...others] };
    expect(listed(changed).split('\n')[3]).to.match(/ N {11}1 {2}2048 {5}4 0\.124 12\.500 0\.000 100\.000$/);
  });
});

describe('the node table', () => {
  it('is listed between empty lines under its title', () => {
    const printNodes = { isExtending: false, names: ['name'] };
    const scope = { nodes: [2], instances: [] };
    const table = listings({ printNodes }, new ClusterState(STORY), scope, 'Initial cluster');
    expect(table).to.equal('\nInitial cluster status:\n Name \n node3\n\n');
  });
});
