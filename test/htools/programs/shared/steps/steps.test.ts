import { expect } from 'chai';
import type { Move } from '../../../../../src/htools/model/moves/kinds.ts';
import * as lines from '../../../../../src/htools/programs/shared/steps/steps.ts';
import { aCluster, aPlan } from '../../../plan/cluster-builder.ts';
import { STORY_MOVES, STORY_SCORES, storyCluster } from '../../../plan/story.ts';

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

  // All as stock hbal prints them.
  const expected: readonly (readonly [string, string])[] = [
    [lines.emptyCluster(), 'Cluster is empty, exiting.\n'],
    [lines.loadedTags(['a', 'b']), 'Loaded cluster tags: a,b\n'],
    [lines.loadedTags([]), 'Loaded cluster tags: \n'],
    [lines.loadedCounts(4, 7), 'Loaded 4 nodes, 7 instances\n'],
    [lines.loadedCounts(1, 1), 'Loaded 1 nodes, 1 instances\n'],
    [lines.strippedSuffix('.example.com'), "Note: Stripping common suffix of '.example.com' from names\n"],
    [lines.selectedGroup('default', 4, 7), 'Group size 4 nodes, 7 instances\nSelected node group: default\n'],
    [lines.initialCheck(0, 2), 'Initial check done: 0 bad nodes, 2 bad instances.\n'],
    [
      lines.notNPlusOneHappy(),
      'Cluster is not N+1 happy, continuing but no guarantee that the cluster will end N+1 happy.\n',
    ],
    [
      lines.policyViolations(2, true),
      'The cluster contains 2 policy-violating nodes.\nContinuing, ignoring soft errors.\n',
    ],
    [
      lines.policyViolations(2, false),
      'The cluster contains 2 policy-violating nodes.\nContinuing, but the set of moves might be too restricted;' +
        ' consider using the --ignore-soft-errors option.\n',
    ],
    [
      lines.splitInstances(['i.example.com']),
      'Found instances belonging to multiple node groups:\n  i.example.com\nThese instances will not be moved.\n',
    ],
    [lines.severalGroups(['a', 'b']), 'Found multiple node groups:\n  a\n  b\n'],
    [lines.unknownGroup('x', ['a', 'b']), 'Node group x not found. Node group list is:\n  a\n  b\n'],
    [lines.initialScore(37.400660092), 'Initial score: 37.40066009\n'],
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
    [lines.searchStart(), 'Trying to minimize the CV...\n'],
    [lines.noSolution(), 'No solution found\n'],
    [lines.improvedScore(37.40066009, 3.24948016), 'Cluster score improved from 37.40066009 to 3.24948016\n'],
    [lines.solutionLength(6), 'Solution length=6\n'],
    [
      lines.freeResources({ memMib: 53212, diskMib: 368640 }, { memMib: 53212, diskMib: -1 }),
      'Original: mem=53212 disk=368640\nFinal:    mem=53212 disk=-1\n',
    ],
    [
      lines.nodeHealth(
        ['n1'],
        [
          { name: 'n2', broken: undefined },
          { name: 'n3', broken: 'FailCPU' },
        ],
      ),
      'Bad nodes: ["n1"]\nN+1 happy nodes: ["n2","n3"]\nNode policy status: [("n2",Ok ()),("n3",Bad FailCPU)]\n',
    ],
    [
      lines.initialCoefficients(37.40066009, COEFFICIENTS),
      'Initial coefficients: overall 37.40066009\n' +
        '   Field                Value Weight\n' +
        '   free_mem_cv     0.21464097  x0.50\n' +
        '   offline_pri_cnt 1.00000000 x16.00\n',
    ],
    [
      lines.finalCoefficients(3.24948016, COEFFICIENTS.slice(1)),
      'Final coefficients:   overall 3.24948016\n' +
        '   Field                Value Weight\n' +
        '   offline_pri_cnt 1.00000000 x16.00\n',
    ],
  ];
  for (const [line, text] of expected) {
    it(`say ${JSON.stringify(text.split('\n')[0])}`, () => {
      expect(line).to.equal(text);
    });
  }
});
