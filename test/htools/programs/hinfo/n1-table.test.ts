import { expect } from 'chai';
import { nodeRows } from '../../../../src/htools/explain/state/state-facts.ts';
import type { N1NodeReport, N1Report } from '../../../../src/htools/model/redundancy/shared/n1-report.ts';
import { fullestText, n1Text } from '../../../../src/htools/programs/hinfo/text.ts';
import { smallState } from '../../../builders/small-cluster.ts';

const node = (sketch: Partial<N1NodeReport>): N1NodeReport => ({
  node: 'node1',
  group: 'default',
  isOffline: false,
  verdict: 'yes',
  instances: 2,
  degraded: [],
  ...sketch,
});

const REPORT: N1Report = {
  nodes: [
    node({
      restarts: [
        { instance: 'web', node: 'node2', isDegraded: false },
        { instance: 'db', node: 'node3', isDegraded: true },
      ],
      degraded: ['db'],
    }),
    node({ node: 'node2', verdict: 'no', shortfall: { resource: 'memory', missing: 512, unit: 'MiB' } }),
    node({ node: 'node3', verdict: 'no', shortfall: { resource: 'room', missing: 2, unit: 'instances' } }),
    node({ node: 'node4', verdict: 'unproven', isOffline: true, instances: 12 }),
    node({ node: 'node5', instances: 0, restarts: [] }),
  ],
  counts: { yes: 2, no: 2, unproven: 1 },
  isHealthy: false,
};

describe('the fullest nodes', () => {
  it('are none of those that have no memory or no cpus at all', () => {
    const instances = [{ primary: 1, memMib: 1024 }];
    const [none, some] = nodeRows(smallState({ nodes: [{}, {}], instances }), [0, 1]);
    const vcpuRatio = Number.POSITIVE_INFINITY;
    const text = fullestText([{ ...none!, totalMemMib: 0, unallocatedMemMib: -512, vcpuRatio }, some!]);
    expect(text).to.include(`memory of ${some!.alias} (`).and.not.include('Infinity');
  });
});

describe('the table of N+1 verdicts', () => {
  it('has a line a node with its verdict and what is short', () => {
    expect(n1Text(REPORT, false)).to.equal(
      [
        ' Node            Group   Inst N+1      Reason',
        ' node1           default    2 yes      1 restart degraded',
        ' node2           default    2 no       512 MiB of memory short',
        ' node3           default    2 no       enough in total, but at least 2 instances cannot be placed whole',
        ' node4 (offline) default   12 unproven the search ended without a verdict; counted as failing',
        ' node5           default    0 yes',
        'N+1 with shared storage: 2 yes, 2 no, 1 unproven',
        '(N+1 here: restart anywhere, all that ran on a failed node starts on others at',
        ' once. "N+1 happy": reserved for DRBD secondaries, nodes keep enough memory free',
        ' for failovers.)',
        '',
      ].join('\n'),
    );
  });

  it('shows the witnesses of healthy nodes when asked to', () => {
    expect(n1Text(REPORT, true).slice(n1Text(REPORT, false).length)).to.equal(
      'If a node fails, its instances can start on:\n  node1:\n    web -> node2\n    db -> node3 (degraded)\n',
    );
  });

  it('names every kind of shortage', () => {
    const lineOf = (resource: 'access' | 'disk' | 'spindles', missing: number): string => {
      const failing = node({ verdict: 'no', shortfall: { resource, missing, unit: '' } });
      return n1Text({ ...REPORT, nodes: [failing] }, false).split('\n')[1]!;
    };
    expect(lineOf('access', 1)).to.match(/no +1 instance without a node to start on$/);
    expect(lineOf('disk', 70)).to.match(/no +70 MiB of disk short$/);
    expect(lineOf('spindles', 1)).to.match(/no +1 spindle short$/);
  });
});
