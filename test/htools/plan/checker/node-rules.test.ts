import { expect } from 'chai';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type Move,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import {
  aCluster,
  brokenRules,
  type InstanceSketch,
  type NodeSketch,
  OPEN_POLICY,
} from '../cluster-builder.ts';

/** The first instance is on node1 and node2; what the third node is like makes the difference. */
const TO_PRIMARY: Move = { instance: 0, kind: REPLACE_AND_FAILOVER, target: 2 };
const TO_SECONDARY: Move = { instance: 0, kind: REPLACE_SECONDARY, target: 2 };

interface Trial {
  readonly third?: NodeSketch;
  readonly first?: InstanceSketch;
  readonly others?: readonly InstanceSketch[];
  readonly tags?: readonly string[];
  readonly nodeTags?: readonly (readonly string[])[];
  readonly move?: Move;
}

function tried({ third, first, others, tags, nodeTags, move }: Trial, ignoreSoftErrors: boolean): string[] {
  const nodes = [{}, {}, third ?? {}].map((node, at) => ({ tags: nodeTags?.[at] ?? [], ...node }));
  const start = aCluster({ nodes, instances: [first ?? {}, ...(others ?? [])], tags: tags ?? [] });
  return brokenRules({ start, moves: [move ?? TO_PRIMARY], limits: { ignoreSoftErrors } });
}

const strictly = (trial: Trial): string[] => tried(trial, false);
const leniently = (trial: Trial): string[] => tried(trial, true);

describe('node rules of the checker', () => {
  it('let an instance come where everything fits', () => {
    expect(strictly({})).to.deep.equal([]);
    expect(strictly({ move: TO_SECONDARY })).to.deep.equal([]);
  });

  describe('that are hard', () => {
    const hard: readonly (readonly [string, Trial])[] = [
      ['memory', { third: { freeMemMib: 1024 } }],
      ['disk', { third: { freeDiskMib: 4096 } }],
      ['disk', { third: { freeDiskMib: 4096 }, move: TO_SECONDARY }],
    ];
    for (const [rule, trial] of hard) {
      it(`find too little ${rule} even when soft errors are ignored (${trial.move ? 'secondary' : 'primary'})`, () => {
        expect(leniently(trial)).to.deep.equal([`1 ${rule}`]);
        expect(strictly(trial)).to.include(`1 ${rule}`);
      });
    }

    it('find too few spindles with exclusive storage', () => {
      const third = { hasExclusiveStorage: true, spindles: 4, freeSpindles: 1 };
      const first = { disks: [{ sizeMib: 4096, spindles: 2 }] };
      expect(leniently({ third, first })).to.deep.equal(['1 spindles']);
      expect(leniently({ third: { ...third, freeSpindles: 2 }, first })).to.deep.equal([]);
    });

    it('find unknown needs of spindles with exclusive storage', () => {
      const third = { hasExclusiveStorage: true, spindles: 4, freeSpindles: 4 };
      expect(leniently({ third, move: TO_SECONDARY })).to.deep.equal(['1 spindles']);
    });

    it('find a secondary for a template that has none', () => {
      const first: InstanceSketch = { diskTemplate: 'ext', secondary: 1 };
      expect(leniently({ first, move: TO_SECONDARY })).to.deep.equal(['1 kind', '1 secondary']);
    });

    it('find a source whose migration tag the target does not take in', () => {
      const tags = ['htools:migration:hv'];
      const nodeTags = [['hv:new'], ['hv:new'], ['hv:old']];
      expect(leniently({ tags, nodeTags })).to.deep.equal(['1 migration-tags']);
      const allowed = [...tags, 'htools:allowmigration:hv:new::hv:old'];
      expect(leniently({ tags: allowed, nodeTags })).to.deep.equal([]);
    });

    it('check both migrations of a replaced primary', () => {
      const move: Move = { instance: 0, kind: REPLACE_PRIMARY, target: 2 };
      const tags = ['htools:migration:hv'];
      expect(leniently({ tags, nodeTags: [['hv:new'], [], ['hv:new']], move })).to.deep.equal([
        '1 migration-tags',
      ]);
      expect(leniently({ tags, nodeTags: [[], ['hv:new'], []], move })).to.deep.equal(['1 migration-tags']);
    });
  });

  describe('that are soft', () => {
    const heavy = { memMib: 8000 };
    const soft: readonly (readonly [string, string, Trial])[] = [
      ['disk-reserve', 'a primary', { third: { minFreeDiskRatio: 0.5, freeDiskMib: 54000 } }],
      [
        'disk-reserve',
        'a secondary',
        { third: { minFreeDiskRatio: 0.5, freeDiskMib: 54000 }, move: TO_SECONDARY },
      ],
      ['spindle-ratio', 'a primary', { third: { spindles: 0 } }],
      ['spindle-ratio', 'a secondary', { first: { spindleUse: 33 }, move: TO_SECONDARY }],
      ['vcpu-ratio', 'a primary', { third: { maxVcpuRatio: 0.2 } }],
      [
        'exclusion-tags',
        'a primary',
        {
          tags: ['htools:iextags:service'],
          first: { tags: ['service:web'] },
          others: [{ tags: ['service:web'], primary: 2, secondary: 1 }],
        },
      ],
      ['n-plus-one', 'a primary', { first: heavy, others: [{ memMib: 8000, primary: 1, secondary: 2 }] }],
      [
        'n-plus-one',
        'a secondary',
        {
          first: { memMib: 3000 },
          others: [{ memMib: 3000, secondary: 2 }],
          third: { freeMemMib: 5000 },
          move: TO_SECONDARY,
        },
      ],
      [
        'failover-memory',
        'a secondary',
        { others: [{ memMib: 1000, secondary: 2 }], third: { freeMemMib: 900 }, move: TO_SECONDARY },
      ],
    ];
    for (const [rule, role, trial] of soft) {
      it(`find ${rule} for ${role}, unless soft errors are ignored`, () => {
        expect(strictly(trial)).to.deep.equal([`1 ${rule}`]);
        expect(leniently(trial)).to.deep.equal([]);
      });
    }

    it('do not hold a node to N+1 that breaks it already', () => {
      const others = [{ memMib: 9000, primary: 1, secondary: 2 }];
      expect(strictly({ others, third: { freeMemMib: 8000 } })).to.deep.equal([]);
    });

    it('hold the stop-over of a replaced primary to them', () => {
      const start = aCluster({ nodes: [{}, { maxVcpuRatio: 0.2 }, {}], instances: [{}] });
      const moves: Move[] = [{ instance: 0, kind: REPLACE_PRIMARY, target: 2 }];
      expect(brokenRules({ start, moves })).to.deep.equal(['1 vcpu-ratio']);
    });
  });

  describe('that count forthcoming instances', () => {
    const waiting = (sketch: InstanceSketch): InstanceSketch => ({
      isForthcoming: true,
      primary: 2,
      secondary: 1,
      ...sketch,
    });
    const known = { disks: [{ sizeMib: 4096, spindles: 2 }] };
    const exclusive = { hasExclusiveStorage: true, spindles: 4, freeSpindles: 3 };
    const cases: readonly (readonly [string, string, Trial])[] = [
      ['memory', 'a primary', { others: [waiting({ memMib: 14336 })] }],
      ['memory', 'a secondary', { others: [waiting({ memMib: 14336 })], move: TO_SECONDARY }],
      ['disk', 'a primary', { others: [waiting({ diskMib: 98304 })] }],
      ['disk', 'a secondary', { others: [waiting({ diskMib: 98304 })], move: TO_SECONDARY }],
      [
        'disk-reserve',
        'a primary',
        { others: [waiting({ diskMib: 50000 })], third: { minFreeDiskRatio: 0.5 } },
      ],
      ['spindles', 'a primary', { first: known, others: [waiting(known)], third: exclusive }],
      ['spindle-ratio', 'a secondary', { others: [waiting({ spindleUse: 32 })], move: TO_SECONDARY }],
      ['vcpu-ratio', 'a primary', { others: [waiting({ vcpus: 31 })] }],
    ];
    for (const [rule, role, trial] of cases) {
      it(`find ${rule} for ${role}, unless soft errors are ignored`, () => {
        expect(strictly(trial)).to.deep.equal([`1 forthcoming-${rule}`]);
        expect(leniently(trial)).to.deep.equal([]);
      });
    }

    it('hold for a forthcoming instance itself, which nothing else binds', () => {
      const first = { isForthcoming: true, memMib: 20000 };
      expect(strictly({ first, move: TO_SECONDARY })).to.deep.equal(['1 forthcoming-memory']);
      expect(leniently({ first, move: TO_SECONDARY })).to.deep.equal([]);
    });
  });

  describe('for an instance that has to get off an offline node', () => {
    const tight = { maxVcpuRatio: 0.2 };
    const moved = (nodes: readonly NodeSketch[], move: Move, first: InstanceSketch = {}): string[] =>
      brokenRules({ start: aCluster({ nodes, instances: [first] }), moves: [move] });
    const primaryOffline = { isOffline: true };

    it('are lifted for a failover, with no demand on the disk of the offline node', () => {
      const nodes = [{ ...primaryOffline, freeDiskMib: -4096 }, tight];
      expect(moved(nodes, { instance: 0, kind: FAILOVER, target: -1 })).to.deep.equal([]);
      expect(moved([{}, tight], { instance: 0, kind: FAILOVER, target: -1 })).to.deep.equal(['1 vcpu-ratio']);
    });

    it('demand disk when the node is online', () => {
      const nodes = [{ freeDiskMib: -4096 }, {}];
      expect(moved(nodes, { instance: 0, kind: FAILOVER, target: -1 })).to.include('1 disk');
    });

    it('are lifted for a failover to any node', () => {
      const move: Move = { instance: 0, kind: FAILOVER_TO_ANY, target: 1 };
      expect(moved([primaryOffline, tight], move, { diskTemplate: 'ext' })).to.deep.equal([]);
      expect(moved([{}, tight], move, { diskTemplate: 'ext' })).to.deep.equal(['1 vcpu-ratio']);
    });

    it('are lifted for a replaced primary and for a failover with a new secondary', () => {
      for (const kind of [REPLACE_PRIMARY, FAILOVER_AND_REPLACE] as const) {
        const move: Move = { instance: 0, kind, target: 2 };
        expect(moved([primaryOffline, tight, tight], move)).to.deep.equal([]);
        expect(moved([{}, tight, {}], move)).to.deep.equal(['1 vcpu-ratio']);
      }
    });

    it('are lifted for a new secondary when the old one is offline', () => {
      const full = { spindles: 0 };
      expect(moved([{}, { isOffline: true }, full], TO_SECONDARY)).to.deep.equal([]);
      expect(moved([{}, {}, full], TO_SECONDARY)).to.deep.equal(['1 spindle-ratio']);
    });

    it('still hold for the new primary when its disks come first', () => {
      expect(moved([primaryOffline, {}, tight], TO_PRIMARY)).to.deep.equal(['1 vcpu-ratio']);
    });
  });

  it('take the limits of the group where the node has none of its own', () => {
    const start = aCluster({
      groups: [{ policy: { ...OPEN_POLICY, vcpuRatio: 0.2 } }],
      nodes: [{}, {}, {}],
      instances: [{}],
    });
    expect(brokenRules({ start, moves: [TO_PRIMARY] })).to.deep.equal(['1 vcpu-ratio']);
  });
});
