import { expect } from 'chai';
import { planExplanationText } from '../../../../src/htools/programs/hbal/plan-text.ts';
import { metricLines } from '../../../../src/htools/programs/shared/questions/explain-text.ts';
import type { PlanExplanation, RefusedCandidate } from '../../../../src/htools/results/parts/explanation.ts';
import { runBuilt } from '../../../suite/run-built.ts';

const MOVE = {
  instance: 'db1',
  move: 'replace-and-failover',
  from: { primary: 'n1', secondary: 'n2' },
} as const;

const refused = (node: string): RefusedCandidate => ({
  ...MOVE,
  notation: 'f r:n4',
  to: { primary: 'n2', secondary: 'n4' },
  score: 1,
  gain: 2,
  refusals: [
    { rule: 'memory', mode: 'FailMem', node, role: 'primary', needed: 8, available: 1, unit: 'MiB' },
  ],
  lift: null,
});

const step = (at: number, refusedThere: readonly RefusedCandidate[]): PlanExplanation['steps'][number] => ({
  ...MOVE,
  notation: 'r:n3 f',
  to: { primary: 'n3', secondary: 'n1' },
  step: at,
  scoreBefore: 4 - at,
  score: 3 - at,
  gain: 1,
  metrics: [],
  cost: { copiedMib: 1024 * at, migrations: 1, migratedMemMib: 512, failovers: 0 },
  jobSet: at,
  refused: [...refusedThere],
});

const PLAN: PlanExplanation = {
  group: 'g',
  initialScore: 3,
  finalScore: 1,
  metrics: [
    { metric: 'pri_tags_score', weight: 2, before: 1, after: 0, gain: 2, share: 1 },
    { metric: 'cpu_load_cv', weight: 1, before: 0, after: 0.001, gain: -0.001, share: 0 },
  ],
  steps: [step(1, [refused('n2')]), step(2, [refused('n2'), refused('n3')])],
  refusedAtEnd: [refused('n2')],
  instancesNotLookedAt: 0,
};

describe('an explained plan', () => {
  const text = planExplanationText(PLAN);

  it('begins with what it comes to', () => {
    expect(text.slice(0, text.indexOf('Step 1'))).to.equal(`Explanation of group g:
  2 steps with 1 instance: the score goes from 3.00 to 1.00
  less of: primaries that should not be together (pri_tags_score), 1.00 to 0.00,
    100% of it
  a little more of: uneven cpu load
  instances leave n2 (2); come to n3 (2)
  it costs 3.0 GiB copied, 2 migrations (1.0 GiB of memory), in 2 job sets
  dearest: step 2, db1: 2.0 GiB for 50% of the gain
  most often in the way of better moves: free memory on n2 (3), free memory on
    n3 (1)
`);
  });

  it('spells moves out, and says once what forbids a move, and whether that node is only on its way', () => {
    expect(text).to.include('Step 1: db1 n1:n2 => n3:n1 (copy to n3, swap nodes)\n');
    expect(text.match(/free memory on n2 as primary/g)).to.have.length(1);
    expect(text.match(/1 move told of above/g)).to.have.length(2);
    expect(text).to.include('free memory on n3 as primary: 8 MiB needed, 1 there (on its way only)\n');
    expect(text).to.not.match(/n2 as primary.*on its way/);
  });
});

describe('why an instance stays', () => {
  it('is a table: where it can go, the score there, what it costs or what stands in the way', () => {
    const { stdout } = runBuilt('hbal -t testdata/small.data --why=web1');
    expect(stdout).to.match(/^ Nodes +Can it +Score after +Price +In the way +Lifted by *$/m);
    expect(stdout).to.match(/^ node4:node1 (yes|no) +\d+\.\d{8} /m);
  });

  it('has no columns for what stands in the way where nothing does', () => {
    const { stdout } = runBuilt('hbal -t testdata/small.data --why=db1');
    expect(stdout).to.match(/^ Nodes +Can it +Score after +Price$/m);
  });
});

describe('a line about a metric', () => {
  const change = { before: 1, after: 0, weight: 2, gain: 2, share: 0.52 };

  it('has the name in words beside the code where there is room', () => {
    const tags = { metric: 'pri_tags_score', ...change };
    const code = '  pri_tags_score   1.00000000 ->   0.00000000 x2.00   +2.00000000   52%';
    expect(metricLines([tags], '  ', true, 120)).to.equal(`${code}  primaries that should not be together\n`);
    expect(metricLines([tags], '  ', true, 80)).to.equal(`${code}\n`);
    const long = metricLines([{ ...tags, metric: 'location_exclusion_score' }], '      ', true, 140);
    expect(long.split('\n')[1]).to.match(/52% {2}instances that should not share a location$/);
  });

  it('has its gain below those of others, whatever they weigh', () => {
    const lines = metricLines(
      ['offline_all_cnt', 'offline_pri_cnt'].map((metric, at) => ({
        ...change,
        metric,
        weight: 4 ** (at + 1),
      })),
      '',
      true,
      80,
    ).split('\n');
    expect(lines[0]!.indexOf('+2.0')).to.equal(lines[1]!.indexOf('+2.0'));
  });
});
