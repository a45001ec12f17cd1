/** What stands against jobs in a cluster that was read anew. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { Node, Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { changesAgainst, ruleChanges } from '../../../../src/htools/ganeti/execution/recheck.ts';
import { type Work, workJob } from '../../../../src/htools/ganeti/execution/work.ts';
import {
  type MoveKind,
  placementAfter,
  REPLACE_AND_FAILOVER,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import { changeText, refusedText } from '../../../../src/htools/programs/shared/execute/text.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';

const FILE = fileURLToPath(new URL('../../../../testdata/small.data', import.meta.url));
const START = prepareSnapshot(parseText(readFileSync(FILE), FILE), {}).snapshot;
const positionOf = (list: readonly { readonly name: string }[], name: string): number =>
  list.findIndex((one) => one.name === `${name}.example.com`);

/** One job: a move of an instance to a node. */
function moving(start: Snapshot, name: string, kind: MoveKind, to: string): Work {
  const instance = positionOf(start.instances, name);
  const target = positionOf(start.nodes, to);
  const { primary, secondary } = start.instances[instance]!;
  const [toPrimary, toSecondary] = placementAfter(kind, primary, secondary, target);
  const ends = { fromPrimary: primary, fromSecondary: secondary, toPrimary, toSecondary };
  const steps = [{ instance, kind, target, ...ends, score: 0 }];
  return {
    sets: [[workJob(start, start, { steps, nodes: [primary, secondary, target] })]],
    limits: { ignoreSoftErrors: false, diskMoves: true },
    nodeOptions: { offline: [], minDiskRatio: 0 },
  };
}

/** The cluster with other figures of a node. */
const changed = (name: string, figures: Partial<Node>): Snapshot => ({
  ...START,
  nodes: START.nodes.map((node) => (node.name === `${name}.example.com` ? { ...node, ...figures } : node)),
});

const against = (fresh: Snapshot, work: Work): string[] =>
  changesAgainst(fresh, work.sets[0]!, work).map(changeText);

describe('looking again before jobs are submitted', () => {
  // web2 is on node2, its other half on node1.
  const work = moving(START, 'web2', REPLACE_AND_FAILOVER, 'node4');

  it('finds nothing where nothing has changed', () => {
    expect(against(START, work)).to.deep.equal([]);
    expect(ruleChanges(START, work.sets[0]!, work)).to.deep.equal([]);
  });

  it('names what a rule says, for one message about a plan, too', () => {
    const refusals = ruleChanges(changed('node4', { freeMemMib: 100 }), work.sets[0]!, work);
    expect(refusedText('hbal', refusals)).to.match(
      /^hbal: the plan has steps that the cluster does not allow, and nothing was submitted:\n {2}web2 on node4: .* MiB memory left/,
    );
  });

  it('takes no room for gone on a node that cannot be asked, when the disks there only stay', () => {
    const drained = changed('node2', { isOffline: true, freeDiskMib: 0 });
    const leaving = moving(drained, 'web2', REPLACE_AND_FAILOVER, 'node4');
    expect(against(drained, leaving)).to.deep.equal([]);
  });

  it('lets nothing arrive on such a node', () => {
    const dead = changed('node4', { isOffline: true, freeDiskMib: 0 });
    const arriving = moving(dead, 'web2', REPLACE_SECONDARY, 'node4');
    expect(against(dead, arriving)).to.deep.include('web2: node4 is offline (online)');
  });

  it('counts room as taken that was promised to others', () => {
    const promised = [{ node: 'node4.example.com', memMib: 31_500, diskMib: 0, cpus: 0 }];
    expect(against(START, { ...work, promised })[0]).to.match(/^web2 on node4: .* MiB memory left/);
  });
});
