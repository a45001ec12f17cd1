import { expect } from 'chai';
import type { Move } from '../../../../src/htools/model/moves/kinds.ts';
import * as lines from '../../../../src/htools/programs/hbal/text.ts';
import * as said from '../../../../src/htools/programs/shared/steps/said.ts';
import { aCluster, aPlan } from '../../plan/cluster-builder.ts';
import { STORY_MOVES, STORY_SCORES, storyCluster } from '../../plan/story.ts';

/** What stock hbal prints for the story cluster. */
const STORY_STEPS = `\
    1. inst6 node4:node1 => node3:node1  16.03068380 a=f r:node3 f
    2. inst1 node1:node2 => node3:node2   9.14186846 a=f r:node3 f
    3. inst2 node1:node2 => node2:node3   4.79905977 a=f r:node3
    4. inst3 node1:node2 => node1:node3   3.78062841 a=r:node3
    5. inst4 node2:node1 => node2:node3   3.30288897 a=r:node3
    6. inst7 node2:node3 => node3:node1   3.24948016 a=f r:node1
`;

describe('step lines', () => {
  it('are those of the stock program', () => {
    const start = storyCluster();
    const { steps } = aPlan({ start, moves: STORY_MOVES, scores: STORY_SCORES });
    const widths = lines.stepWidths(start, [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3]);
    expect(widths).to.deep.equal({ instance: 5, node: 5 });
    expect(steps.map((step, at) => lines.stepLine(start, step, at + 1, widths)).join('')).to.equal(
      STORY_STEPS,
    );
  });

  it('leave room for the longest names, also when there is no secondary', () => {
    const start = aCluster({ nodes: [{}, {}], instances: [{ diskTemplate: 'ext' }] });
    const move: Move = { instance: 0, kind: 1, target: 1 };
    const { steps } = aPlan({ start, moves: [move], scores: [0, 1234567.5] });
    expect(lines.stepLine(start, steps[0]!, 1000, { instance: 8, node: 6 })).to.equal(
      '  1000. inst1    node1         => node2         1234567.50000000 a=fa:node2\n',
    );
  });
});

describe('lines of a balancing run', () => {
  const COEFFICIENTS = [
    { name: 'free_mem_cv', value: 0.214640974, weight: 0.5 },
    { name: 'offline_pri_cnt', value: 1, weight: 16 },
  ];
  const scored = (score: number, metrics = COEFFICIENTS) => ({ score, metrics });
  const named = (count: number, name = (k: number): string => `${k}`): never =>
    Array.from({ length: count }, (_, k) => ({ name: name(k) })) as never;
  const sized = (nodes: number, instances: number, domain = ''): never =>
    ({
      nodes: named(nodes, (k) => `n${k}${domain}`),
      instances: named(instances, (k) => `i${k}${domain}`),
    }) as never;
  const group = (health: object, verbosity: number, ignoreSoftErrors = false): string =>
    lines.groupText({
      name: 'default',
      scope: { nodes: [0, 1, 2, 3], instances: [0, 1, 2, 3, 4, 5, 6] },
      health: { badNodes: [], badInstances: 0, others: [], ...health },
      options: { verbosity, ignoreSoftErrors } as never,
    });
  const GROUP = 'Group size 4 nodes, 7 instances\nSelected node group: default\n';
  const BROKEN = {
    others: [
      { name: 'n2', broken: undefined },
      { name: 'n3', broken: 'FailCPU' },
      { name: 'n4', broken: 'FailDisk' },
    ],
  };
  const free = (memMib: number, diskMib: number) => ({ free: { memMib, diskMib } });
  const split = aCluster({
    groups: [{}, {}],
    nodes: [{ group: 0 }, { group: 1 }],
    instances: [{ name: 'i.example.com', primary: 0, secondary: 1 }],
  });

  // All as stock hbal prints them.
  const expected: readonly (readonly [string, string])[] = [
    [lines.EMPTY_CLUSTER, 'Cluster is empty, exiting.\n'],
    [said.loadedTags(['a', 'b']), 'Loaded cluster tags: a,b\n'],
    [said.loadedTags([]), 'Loaded cluster tags: \n'],
    [lines.clusterText(sized(4, 7), 2), 'Loaded 4 nodes, 7 instances\n'],
    [lines.clusterText(sized(1, 1, '.example.com'), 1), 'Loaded 1 nodes, 1 instances\n'],
    [
      lines.clusterText(sized(2, 1, '.example.com'), 2),
      "Loaded 2 nodes, 1 instances\nNote: Stripping common suffix of '.example.com' from names\n",
    ],
    [group({}, 0), GROUP],
    [group({ badInstances: 2 }, 1), `${GROUP}Initial check done: 0 bad nodes, 2 bad instances.\n`],
    [
      group({ badNodes: ['n1'] }, 0),
      `${GROUP}Cluster is not N+1 happy, continuing but no guarantee that the cluster will end N+1 happy.\n`,
    ],
    [
      group(BROKEN, 0, true),
      `${GROUP}The cluster contains 2 policy-violating nodes.\nContinuing, ignoring soft errors.\n`,
    ],
    [
      group(BROKEN, 0),
      `${GROUP}The cluster contains 2 policy-violating nodes.\nContinuing, but the set of moves might be too restricted;` +
        ' consider using the --ignore-soft-errors option.\n',
    ],
    [
      lines.splitText(split, 2),
      'Found instances belonging to multiple node groups:\n  i.example.com\nThese instances will not be moved.\n',
    ],
    [lines.splitText(split, 1), ''],
    [lines.scoreText(scored(37.400660092), 2), 'Initial score: 37.40066009\n'],
    [
      lines.alreadyBalanced(37.40066009, 0.0081380213, 1e9),
      'Cluster is already well balanced (initial score 37.400660,\n' +
        'optimum score due to N+1 reservations 8.138021e-3,\nminimum score 1.000000e9).\nNothing to do, exiting\n',
    ],
    [
      lines.alreadyBalanced(1.56347656, 0, 100),
      'Cluster is already well balanced (initial score 1.563477,\n' +
        'optimum score due to N+1 reservations 0.000000,\nminimum score 100.000000).\nNothing to do, exiting\n',
    ],
    [lines.SEARCH_START, 'Trying to minimize the CV...\n'],
    [lines.endText(scored(1), scored(1), 0, 0), 'No solution found\n'],
    [
      lines.endText(scored(37.40066009), scored(3.24948016), 6, 0),
      'Cluster score improved from 37.40066009 to 3.24948016\n',
    ],
    [
      lines.endText(scored(37.40066009), scored(3.24948016), 6, 1),
      'Cluster score improved from 37.40066009 to 3.24948016\nSolution length=6\n',
    ],
    [
      lines.resourcesText(free(53212, 368640), free(53212, -1), 4),
      'Original: mem=53212 disk=368640\nFinal:    mem=53212 disk=-1\n',
    ],
    [lines.resourcesText(free(53212, 368640), free(53212, -1), 3), ''],
    [
      group({ badNodes: ['n1'], others: BROKEN.others.slice(0, 2) }, 5, true),
      `${GROUP}Initial check done: 1 bad nodes, 0 bad instances.\nBad nodes: ["n1"]\nN+1 happy nodes: ["n2","n3"]\n` +
        'Node policy status: [("n2",Ok ()),("n3",Bad FailCPU)]\n' +
        'Cluster is not N+1 happy, continuing but no guarantee that the cluster will end N+1 happy.\n' +
        'The cluster contains 1 policy-violating nodes.\nContinuing, ignoring soft errors.\n',
    ],
    [
      lines.scoreText(scored(37.40066009), 3),
      'Initial coefficients: overall 37.40066009\n' +
        '   Field                Value Weight\n' +
        '   free_mem_cv     0.21464097  x0.50\n' +
        '   offline_pri_cnt 1.00000000 x16.00\n',
    ],
    [
      lines.endText(scored(37.4), scored(3.24948016, COEFFICIENTS.slice(1)), 6, 3),
      'Final coefficients:   overall 3.24948016\n' +
        '   Field                Value Weight\n' +
        '   offline_pri_cnt 1.00000000 x16.00\n' +
        'Solution length=6\n',
    ],
  ];
  for (const [line, text] of expected) {
    it(`say ${JSON.stringify(text)}`, () => {
      expect(line).to.equal(text);
    });
  }
});
