import { expect } from 'chai';
import {
  ALLOWED,
  FAIL_CPU,
  FAIL_DISK,
  FAIL_MEM,
  FAIL_MIG,
  FAIL_TAGS,
} from '../../../../src/htools/cluster/refusal.ts';
import { applyMove, placeInstance, putInstance, takeOff } from '../../../../src/htools/model/moves/apply.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  MOVE_KIND_NAMES,
  type MoveKind,
  placementAfter,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { type Figures, figuresOf } from '../../../builders/figures.ts';
import {
  type InstanceSketch,
  instanceFrom,
  type NodeSketch,
  smallCluster,
  smallState,
} from '../../../builders/small-cluster.ts';
import { imageOf } from '../../../builders/state-image.ts';

/** Figures of a node without instances, as primary of the moved one, as secondary with so much reserved. */
const EMPTY = {
  freeMem: 15360,
  freeDisk: 102400,
  usedCpu: 0,
  reserved: 0,
  primaries: 0,
  secondaries: 0,
  diskLoad: 0,
};
const PRIMARY = {
  freeMem: 14336,
  freeDisk: 98304,
  usedCpu: 2,
  reserved: 0,
  primaries: 1,
  secondaries: 0,
  diskLoad: 1,
};
const SECONDARY = {
  freeMem: 15360,
  freeDisk: 98304,
  usedCpu: 0,
  reserved: 1024,
  primaries: 0,
  secondaries: 1,
  diskLoad: 1,
};

const three = (instance: InstanceSketch, nodes: readonly NodeSketch[] = [{}, {}, {}]): ClusterState =>
  smallState({ nodes, instances: [{ vcpus: 2, ...instance }] });

function expectFigures(state: ClusterState, ...expected: readonly Partial<Figures>[]): void {
  expected.forEach((figures, node) => {
    expect(figuresOf(state, node), `node ${node}`).to.include(figures);
  });
}

describe('a move', () => {
  const cases: readonly { kind: MoveKind; target: number; after: readonly Partial<Figures>[] }[] = [
    { kind: FAILOVER, target: -1, after: [SECONDARY, PRIMARY, EMPTY] },
    { kind: REPLACE_SECONDARY, target: 2, after: [PRIMARY, EMPTY, SECONDARY] },
    { kind: REPLACE_AND_FAILOVER, target: 2, after: [SECONDARY, EMPTY, PRIMARY] },
    { kind: REPLACE_PRIMARY, target: 2, after: [EMPTY, SECONDARY, PRIMARY] },
    { kind: FAILOVER_AND_REPLACE, target: 2, after: [EMPTY, PRIMARY, SECONDARY] },
  ];

  for (const { kind, target, after } of cases) {
    it(`of the kind ${MOVE_KIND_NAMES[kind]} changes the figures of its nodes`, () => {
      const state = three({});
      expectFigures(state, PRIMARY, SECONDARY, EMPTY);
      expect(applyMove(state, 0, kind, target, false)).to.equal(ALLOWED);
      expectFigures(state, ...after);
      expect([state.primary[0], state.secondary[0]]).to.deep.equal(placementAfter(kind, 0, 1, target));
    });
  }

  it('of the kind failover-to-any moves the instance and leaves the disks', () => {
    const state = three({ diskTemplate: 'rbd' });
    expect(applyMove(state, 0, FAILOVER_TO_ANY, 2, false)).to.equal(ALLOWED);
    const noDisk = { ...PRIMARY, freeDisk: 102400 };
    expectFigures(state, EMPTY, EMPTY, noDisk);
    expect([state.primary[0], state.secondary[0]]).to.deep.equal([2, -1]);
  });

  it('of that kind leaves a secondary that is named alone, as does putting the instance there', () => {
    const cluster = {
      tags: ['htools:nlocation:rack'],
      nodes: ['1', '1', '2'].map((rack) => ({ tags: [`rack:${rack}`], hasExclusiveStorage: true })),
      instances: [{ diskTemplate: 'ext' as const, secondary: 1 }],
    };
    const [moved, put] = [smallState(cluster), smallState(cluster)];
    const before = figuresOf(put, 1);
    expect(applyMove(moved, 0, FAILOVER_TO_ANY, 2, false)).to.equal(ALLOWED);
    takeOff(put, 0);
    putInstance(put, 0, 2, 1);
    expect(figuresOf(put, 1)).to.deep.equal(before);
    expect(imageOf(put)).to.deep.equal(imageOf(moved));
  });

  it('and its opposite lead back to the figures before', () => {
    const state = three({});
    const fields = [...state.nodeFields];
    applyMove(state, 0, FAILOVER, -1, false);
    applyMove(state, 0, FAILOVER, -1, false);
    applyMove(state, 0, REPLACE_SECONDARY, 2, false);
    applyMove(state, 0, REPLACE_SECONDARY, 1, false);
    expect([...state.nodeFields]).to.deep.equal(fields);
  });

  it('moves the location counts along', () => {
    const state = smallState({
      tags: ['htools:nlocation:rack', 'htools:desiredlocation:rack'],
      nodes: [{ tags: ['rack:1'] }, { tags: ['rack:1'] }, { tags: ['rack:2'] }],
      instances: [{ tags: ['rack:2'] }],
    });
    expect(figuresOf(state, 0).locationScore, 'one rack, and the wrong one').to.equal(2);
    applyMove(state, 0, REPLACE_AND_FAILOVER, 2, false);
    expect([0, 1, 2].map((node) => figuresOf(state, node).locationScore)).to.deep.equal([0, 0, 0]);
    applyMove(state, 0, FAILOVER, -1, false);
    expect(figuresOf(state, 0).locationScore, 'the wrong rack').to.equal(1);
  });

  it('moves the tag conflicts along', () => {
    const tags = ['service:web'];
    const state = smallState({
      tags: ['htools:iextags:service'],
      nodes: [{}, {}, {}],
      instances: [{ tags }, { tags }],
    });
    expect(figuresOf(state, 0).tagConflicts).to.equal(1);
    applyMove(state, 1, REPLACE_PRIMARY, 2, false);
    expect([0, 1, 2].map((node) => figuresOf(state, node).tagConflicts)).to.deep.equal([0, 0, 0]);
  });
});

describe('a refused move', () => {
  /** The refusal, after looking that the state has stayed as it was. */
  function refusalOf(state: ClusterState, kind: MoveKind, target: number, ignoreSoftErrors = false): number {
    const before = imageOf(state);
    const refusal = applyMove(state, 0, kind, target, ignoreSoftErrors);
    if (refusal !== ALLOWED) expect(imageOf(state)).to.deep.equal(before);
    return refusal;
  }

  it('names the rule of the node that cannot take the instance', () => {
    const small = { totalMemMib: 1500 };
    expect(refusalOf(three({}, [{}, small, {}]), FAILOVER, -1)).to.equal(FAIL_MEM);
    expect(refusalOf(three({}, [{}, {}, small]), REPLACE_AND_FAILOVER, 2)).to.equal(FAIL_MEM);
    expect(refusalOf(three({}, [{}, {}, { freeDiskMib: 0 }]), REPLACE_SECONDARY, 2)).to.equal(FAIL_DISK);
    expect(refusalOf(three({ vcpus: 33 }), FAILOVER, -1)).to.equal(FAIL_CPU);
  });

  it('of a primary asks whether the secondary could carry the instance meanwhile', () => {
    const small = { totalMemMib: 2048, freeMemMib: 1000 };
    expect(refusalOf(three({}, [{}, small, {}]), REPLACE_PRIMARY, 2)).to.equal(FAIL_MEM);
    expect(refusalOf(three({}, [{}, small, {}]), FAILOVER_AND_REPLACE, 2)).to.equal(FAIL_MEM);
    expect(refusalOf(three({}, [{}, small, {}]), REPLACE_AND_FAILOVER, 2)).to.equal(ALLOWED);
  });

  it('looks at migration before anything else', () => {
    const state = smallState({
      tags: ['htools:migration:kernel'],
      nodes: [{ tags: ['kernel:1'] }, { totalMemMib: 1500 }, { tags: ['kernel:1'] }],
      instances: [{}],
    });
    expect(refusalOf(state, FAILOVER, -1)).to.equal(FAIL_MIG);
    expect(refusalOf(state, REPLACE_PRIMARY, 2)).to.equal(FAIL_MIG);
    expect(refusalOf(state, FAILOVER_AND_REPLACE, 2)).to.equal(FAIL_MIG);
    expect(refusalOf(state, REPLACE_SECONDARY, 2)).to.equal(ALLOWED);
  });

  it('keeps to the hard rules when forced, and leaves the soft ones', () => {
    const tags = ['service:web'];
    const twins = () =>
      smallState({
        tags: ['htools:iextags:service'],
        nodes: [{}, {}, {}],
        instances: [{ tags }, { tags, primary: 1, secondary: 2 }],
      });
    expect(refusalOf(twins(), FAILOVER, -1)).to.equal(FAIL_TAGS);
    expect(refusalOf(twins(), FAILOVER, -1, true)).to.equal(ALLOWED);
    expect(refusalOf(three({}, [{}, {}, { freeDiskMib: 0 }]), REPLACE_SECONDARY, 2, true)).to.equal(
      FAIL_DISK,
    );
  });

  it('leaves the soft rules when the instance comes from an offline node', () => {
    const offline = { isOffline: true };
    expect(refusalOf(three({ vcpus: 33 }, [offline, {}, {}]), FAILOVER, -1)).to.equal(ALLOWED);
    expect(refusalOf(three({ vcpus: 33 }, [{}, {}, {}]), FAILOVER, -1)).to.equal(FAIL_CPU);
    const crowded = { minFreeDiskRatio: 1 };
    expect(refusalOf(three({}, [{}, offline, crowded]), REPLACE_SECONDARY, 2)).to.equal(ALLOWED);
    expect(refusalOf(three({}, [{}, {}, crowded]), REPLACE_SECONDARY, 2)).to.equal(FAIL_DISK);
  });

  it('lets a failed over instance keep its disks on a full offline node', () => {
    const full = { isOffline: true, freeDiskMib: -5000 };
    expect(refusalOf(three({}, [full, {}, {}]), FAILOVER, -1)).to.equal(ALLOWED);
  });
});

describe('a placement', () => {
  const place = (
    more: InstanceSketch,
    primary: number,
    secondary: number,
    nodes: readonly NodeSketch[] = [{}, {}, {}],
  ) => {
    const state = new ClusterState(smallCluster({ nodes }));
    const i = state.addInstance(instanceFrom({ vcpus: 2, ...more, primary: -1, secondary: -1 }, 0));
    return { state, i, refusal: placeInstance(state, i, primary, secondary, false) };
  };

  it('puts a mirrored instance on two nodes', () => {
    const { state, i, refusal } = place({}, 2, 0);
    expect(refusal).to.equal(ALLOWED);
    expectFigures(state, SECONDARY, EMPTY, PRIMARY);
    expect([state.primary[i], state.secondary[i]]).to.deep.equal([2, 0]);
  });

  it('puts any other on one', () => {
    const { state, refusal } = place({ diskTemplate: 'plain' }, 1, -1);
    expect(refusal).to.equal(ALLOWED);
    expectFigures(state, EMPTY, PRIMARY, EMPTY);
  });

  it('leaves the state alone when one of the nodes refuses', () => {
    const { state, refusal } = place({}, 0, 1, [{}, { freeDiskMib: 0 }, {}]);
    expect(refusal).to.equal(FAIL_DISK);
    expectFigures(state, EMPTY, { primaries: 0, secondaries: 0 }, EMPTY);
    expect(state.primary[0]).to.equal(-1);
  });
});

/**
 * Which nodes have soft rules that hold, by what is offline: docs/reference/moves.md, "What is checked on
 * the way".
 */
describe('the severity of a move', () => {
  type Role = 'primary' | 'secondary' | 'target';
  const ROLES: readonly Role[] = ['primary', 'secondary', 'target'];
  /**
   * No disk may be used beyond what is used already: a soft rule for whoever comes, as primary or as
   * secondary.
   */
  const TIGHT: NodeSketch = { minFreeDiskRatio: 1 };

  function refusing(kind: MoveKind, offline: Role | undefined): readonly Role[] {
    return ROLES.filter((tight) => {
      const nodes = ROLES.map((role) => ({
        ...(role === tight && TIGHT),
        ...(role === offline && { isOffline: true }),
      }));
      const external = kind === FAILOVER_TO_ANY;
      // Shared disks are no matter of the node; there the ratio of virtual cpus is the soft rule.
      const state = three(
        external ? { diskTemplate: 'ext' } : {},
        external
          ? nodes.map((node, n) => ({ ...node, ...(ROLES[n] === tight && { maxVcpuRatio: 0.1 }) }))
          : nodes,
      );
      return applyMove(state, 0, kind, kind === FAILOVER ? -1 : 2, false) !== ALLOWED;
    });
  }

  const cases: readonly [MoveKind, readonly Role[], readonly Role[], readonly Role[]][] = [
    // kind, refusing nodes when none is offline, when the primary is, when the secondary is
    [FAILOVER, ['primary', 'secondary'], [], ['primary', 'secondary']],
    [FAILOVER_TO_ANY, ['target'], [], ['target']],
    [REPLACE_SECONDARY, ['target'], ['target'], []],
    [REPLACE_AND_FAILOVER, ['primary', 'target'], ['primary', 'target'], ['target']],
    [REPLACE_PRIMARY, ['secondary', 'target'], [], ['secondary', 'target']],
    [FAILOVER_AND_REPLACE, ['secondary', 'target'], [], ['secondary', 'target']],
  ];
  for (const [kind, usually, fromOffline, withOffline] of cases) {
    it(`of ${MOVE_KIND_NAMES[kind]} follows from the node that is offline`, () => {
      expect(refusing(kind, undefined), 'all online').to.deep.equal(usually);
      expect(refusing(kind, 'primary'), 'primary offline').to.deep.equal(fromOffline);
      expect(refusing(kind, 'secondary'), 'secondary offline').to.deep.equal(withOffline);
    });
  }

  it('is nothing where soft errors are ignored', () => {
    for (const [kind] of cases) {
      const state = three(kind === FAILOVER_TO_ANY ? { diskTemplate: 'ext' } : {}, [TIGHT, TIGHT, TIGHT]);
      expect(applyMove(state, 0, kind, kind === FAILOVER ? -1 : 2, true), MOVE_KIND_NAMES[kind]).to.equal(
        ALLOWED,
      );
    }
  });

  it('asks for migration twice where the primary is replaced: to the secondary, and on to the target', () => {
    const tags = ['htools:migration:version'];
    const versions = (...[primary, secondary, target]: readonly string[][]): ClusterState =>
      smallState({
        tags,
        nodes: [primary, secondary, target].map((names) => ({
          tags: names!.map((name) => `version:${name}`),
        })),
        instances: [{}],
      });
    const codeOf = (...names: readonly string[][]) =>
      applyMove(versions(...names), 0, REPLACE_PRIMARY, 2, false);
    expect(codeOf(['a'], ['a'], ['a'])).to.equal(ALLOWED);
    expect(codeOf(['a'], ['b'], ['b']), 'not to the secondary').to.equal(FAIL_MIG);
    expect(codeOf(['a'], ['a', 'b'], ['a']), 'not on to the target').to.equal(FAIL_MIG);
    expect(codeOf(['a'], ['a', 'b'], ['a', 'b'])).to.equal(ALLOWED);
  });
});
