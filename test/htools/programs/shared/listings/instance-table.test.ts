import { expect } from 'chai';
import { isRunning } from '../../../../../src/htools/cluster/instance-status.ts';
import type { InstanceRow } from '../../../../../src/htools/explain/state/instance-rows.ts';
import {
  instanceListing,
  instanceTable,
} from '../../../../../src/htools/programs/shared/listings/listings.ts';
import { storyCluster } from '../../../plan/story.ts';

function storyRows(): readonly InstanceRow[] {
  const { nodes, instances } = storyCluster();
  return instances.map((instance) => ({
    ...instance,
    isRunning: isRunning(instance),
    primary: nodes[instance.primary]!.name,
    secondary: nodes[instance.secondary]?.name ?? null,
    load: instance.utilisation,
  }));
}

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
  it('is that of the stock program', () => {
    expect(instanceTable(storyRows())).to.equal(STORY_TABLE);
  });

  it('comes in the order of the indices', () => {
    expect(instanceTable(storyRows().toReversed())).to.equal(STORY_TABLE);
  });

  it('says N for instances without auto_balance and shows loads with three decimals', () => {
    const [row] = storyRows();
    const load = { cpu: 0.1235, mem: 12.5, disk: 0, net: 100 };
    expect(instanceTable([{ ...row!, isAutoBalanced: false, load }]).split('\n')[1]).to.match(
      / N {11}1 {2}2048 {5}4 0\.124 12\.500 0\.000 100\.000$/,
    );
  });

  it('is listed under its title', () => {
    expect(instanceListing('Final', storyRows())).to.equal(`\nFinal instance map:\n${STORY_TABLE}`);
  });
});
