import { expect } from 'chai';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { metricsOf } from '../../../builders/figures.ts';
import { smallCluster, smallState, times } from '../../../builders/small-cluster.ts';

/** Half the difference: the standard deviation of two values. */
const ofTwo = (a: number, b: number): number => Math.abs(a - b) / 2;

describe('the metrics', () => {
  it('are all zero on empty, equal nodes', () => {
    const metrics = metricsOf(smallState({ nodes: times(3, () => ({})) }));
    expect(Object.values(metrics).filter((value) => value !== 0)).to.deep.equal([]);
  });

  it('leave offline nodes out of the deviations', () => {
    const nodes = [{}, {}, { isOffline: true, freeMemMib: 1, freeDiskMib: 1 }];
    expect(metricsOf(smallState({ nodes }))).to.include({ free_mem_cv: 0, free_disk_cv: 0 });
  });

  it('count memory that a node misses as used', () => {
    const { free_mem_cv } = metricsOf(smallState({ nodes: [{ freeMemMib: 15360 - 1024 }, {}] }));
    expect(free_mem_cv).to.be.closeTo(ofTwo(14336 / 16384, 15360 / 16384), 1e-15);
  });

  it('do not count memory that a node has too much of', () => {
    expect(metricsOf(smallState({ nodes: [{ freeMemMib: 16000 }, {}] })).free_mem_cv).to.equal(0);
  });

  it('count no memory for an instance that is down, but its vcpus, disks and load', () => {
    const state = smallState({
      nodes: [{}, {}],
      instances: [{ status: 'ADMIN_down', vcpus: 4, diskTemplate: 'plain' }],
    });
    expect(metricsOf(state)).to.deep.include({
      free_mem_cv: 0,
      free_mem_cv_forth: ofTwo(14336 / 16384, 15360 / 16384),
      free_disk_cv: ofTwo(98304 / 102400, 1),
      vcpu_ratio_cv: 0.25,
      cpu_load_cv: 0.5,
    });
  });

  it('count no vcpus for an instance that is set offline', () => {
    const state = smallState({
      nodes: [{}, {}],
      instances: [{ status: 'ADMIN_offline', vcpus: 4, diskTemplate: 'plain' }],
    });
    expect(metricsOf(state)).to.include({ vcpu_ratio_cv: 0, vcpu_ratio_cv_forth: 0, free_mem_cv: 0 });
  });

  it('divide vcpus by cpus and by their speed', () => {
    const instances = [{ vcpus: 4, diskTemplate: 'plain' as const }];
    const twice = smallState({ nodes: [{ cpuSpeed: 2 }, {}], instances });
    expect(metricsOf(twice).vcpu_ratio_cv).to.equal(ofTwo(4 / 8 / 2, 0));
  });

  it('count the vcpus of a node’s own system', () => {
    expect(metricsOf(smallState({ nodes: [{ nodeCpus: 2 }, {}] })).vcpu_ratio_cv).to.equal(ofTwo(2 / 8, 0));
  });

  it('take free spindles for free disk under exclusive storage', () => {
    const exclusive = { hasExclusiveStorage: true, spindles: 8 };
    const state = smallState({
      nodes: [
        { ...exclusive, freeSpindles: 2 },
        { ...exclusive, freeSpindles: 6 },
      ],
      instances: [{ diskTemplate: 'plain', disks: [{ sizeMib: 4096, spindles: 2 }], spindleUse: 2 }],
    });
    expect(metricsOf(state)).to.include({ free_disk_cv: 0.25, spindles_cv: 0 });
  });

  it('take a node without disks as wholly free', () => {
    const metrics = metricsOf(smallState({ nodes: [{ totalDiskMib: 0, freeDiskMib: 0 }, {}] }));
    expect(metrics.free_disk_cv).to.equal(0);
  });

  it('count disks on their nodes for drbd and plain alone', () => {
    for (const diskTemplate of [
      'file',
      'sharedfile',
      'ext',
      'rbd',
      'gluster',
      'diskless',
      'blockdev',
    ] as const) {
      const metrics = metricsOf(smallState({ nodes: [{}, {}], instances: [{ diskTemplate }] }));
      expect(metrics, diskTemplate).to.include({ free_disk_cv: 0, spindles_cv: 0, disk_load_cv: 0.5 });
    }
  });

  it('reserve the memory of the worst single failure, not of all', () => {
    const state = smallState({
      nodes: times(4, () => ({})),
      instances: [
        { primary: 0, secondary: 3, memMib: 1024 },
        { primary: 0, secondary: 3, memMib: 1024 },
        { primary: 1, secondary: 3, memMib: 1536 },
      ],
    });
    expect(metricsOf(state).reserved_mem_rtotal).to.equal(2048 / 16384);
  });

  it('reserve nothing for instances that are not balanced or set offline, but for those that are down', () => {
    const reservedFor = (more: object) =>
      metricsOf(smallState({ nodes: [{}, {}], instances: [more] })).reserved_mem_rtotal;
    expect(reservedFor({})).to.equal(1024 / 16384);
    expect(reservedFor({ isAutoBalanced: false })).to.equal(0);
    expect(reservedFor({ status: 'ADMIN_offline' })).to.equal(0);
    expect(reservedFor({ status: 'ADMIN_down' })).to.equal(1024 / 16384);
  });

  it('count all instances of a node that fails N+1', () => {
    const state = smallState({
      nodes: [{}, { totalMemMib: 4096 }],
      instances: [{ memMib: 3072 }, { memMib: 512 }, { primary: 1, secondary: 0, memMib: 512 }],
    });
    expect(metricsOf(state).n1_cnt).to.equal(3);
  });

  it('find N+1 failing where no more is free than is reserved', () => {
    const failing = (node: object, memMib = 3072) =>
      metricsOf(
        smallState({ nodes: [{}, { totalMemMib: 4096, nodeMemMib: 0, ...node }], instances: [{ memMib }] }),
      ).n1_cnt;
    expect(failing({ freeMemMib: 3073 }), 'a MiB more').to.equal(0);
    expect(failing({ freeMemMib: 3072 }), 'just as much').to.equal(1);
    // 4096 - 1024 = 3072 by the records, whatever the node reports beyond them.
    expect(failing({ nodeMemMib: 1024, freeMemMib: 4000 }), 'the records leave just as much').to.equal(1);
    expect(failing({ nodeMemMib: 1023, freeMemMib: 4000 }), 'the records leave a MiB more').to.equal(0);
    expect(failing({ freeMemMib: 0 }, 0), 'nothing free, nothing reserved').to.equal(1);
  });

  it('count primaries on offline nodes in both counts, secondaries in one', () => {
    const state = smallState({
      nodes: [{}, { isOffline: true }],
      instances: [{}, {}, { primary: 1, secondary: 0 }],
    });
    expect(metricsOf(state)).to.include({ offline_all_cnt: 3, offline_pri_cnt: 1 });
  });

  it('count disk load on both nodes and the other loads on the primary', () => {
    const utilisation = { cpu: 2, mem: 3, disk: 5, net: 7 };
    const state = smallState({ nodes: times(3, () => ({})), instances: [{ utilisation }] });
    const alone = Math.sqrt(2) / 3;
    const metrics = metricsOf(state);
    expect(metrics.cpu_load_cv).to.be.closeTo(2 * alone, 1e-15);
    expect(metrics.mem_load_cv).to.be.closeTo(3 * alone, 1e-15);
    expect(metrics.disk_load_cv).to.be.closeTo(5 * alone, 1e-14);
    expect(metrics.net_load_cv).to.be.closeTo(7 * alone, 1e-14);
  });

  it('put a reported cpu load in the place of the instances’', () => {
    const state = smallState({ nodes: [{ reportedCpuLoad: 6 }, {}], instances: [{}, {}] });
    expect(metricsOf(state)).to.include({ cpu_load_cv: 3, mem_load_cv: 1 });
  });

  it('count each primary beyond the first with the same exclusion tag', () => {
    const state = smallState({
      tags: ['htools:iextags:service'],
      nodes: [{}, {}],
      instances: [
        ...times(3, () => ({ tags: ['service:web', 'other:x'] })),
        { tags: ['service:mail'] },
        { tags: ['service:web'], primary: 1, secondary: 0 },
      ],
    });
    expect(metricsOf(state).pri_tags_score).to.equal(2);
  });

  it('count common failure tags and unmet wishes', () => {
    const state = smallState({
      tags: ['htools:nlocation:rack', 'htools:nlocation:power', 'htools:desiredlocation:rack'],
      nodes: [
        { tags: ['rack:1', 'power:1'] },
        { tags: ['rack:1', 'power:1'] },
        { tags: ['rack:2', 'power:1'] },
      ],
      instances: [
        { primary: 0, secondary: 1 },
        { primary: 0, secondary: 2, tags: ['rack:2'] },
      ],
    });
    expect(metricsOf(state).location_score).to.equal(2 + (1 + 1));
  });

  it('count instances that share an exclusion tag in one location, on whatever nodes', () => {
    const state = smallState({
      tags: ['htools:nlocation:rack', 'htools:iextags:service'],
      nodes: [{ tags: ['rack:1'] }, { tags: ['rack:1'] }, { tags: ['rack:2'] }],
      instances: [
        { primary: 0, secondary: 2, tags: ['service:web'] },
        { primary: 1, secondary: 2, tags: ['service:web'] },
        { primary: 2, secondary: 0, tags: ['service:web'] },
      ],
    });
    expect(metricsOf(state)).to.include({ location_exclusion_score: 1, pri_tags_score: 0 });
  });

  it('count reserved instances in the forthcoming four alone', () => {
    const instances = [{ isForthcoming: true, memMib: 4096, vcpus: 2, primary: 0, secondary: 1 }];
    const metrics = metricsOf(smallState({ nodes: times(3, () => ({})), instances }));
    const touched = Object.keys(metrics).filter((name) => metrics[name] !== 0);
    expect(touched).to.deep.equal([
      'free_mem_cv_forth',
      'free_disk_cv_forth',
      'vcpu_ratio_cv_forth',
      'spindles_cv_forth',
    ]);
  });

  it('repeat the plain four where nothing is forthcoming', () => {
    const metrics = metricsOf(smallState({ nodes: times(3, () => ({})), instances: [{}, { primary: 2 }] }));
    for (const name of ['free_mem_cv', 'free_disk_cv', 'vcpu_ratio_cv', 'spindles_cv'])
      expect(metrics[`${name}_forth`], name).to.equal(metrics[name]);
  });

  it('measure spindles against what the policy allows for the node', () => {
    const cluster = smallCluster({
      nodes: [{ spindles: 2 }, {}],
      instances: [{ diskTemplate: 'plain', spindleUse: 8 }],
    });
    expect(metricsOf(new ClusterState(cluster)).spindles_cv).to.equal(ofTwo(8 / (2 * 32), 0));
  });
});
