import { expect } from 'chai';
import { makeCluster } from '../../bench/generate/cluster.ts';
import type { MadeNode } from '../../bench/generate/made-cluster.ts';
import { makeOdd } from '../../bench/generate/odd-figures.ts';
import { Random } from '../../bench/generate/random.ts';
import { rapiFiles } from '../../bench/generate/rapi.ts';
import { withRepairTags } from '../../bench/generate/repair-tags.ts';
import { iallocatorMessage, REQUEST_TYPES, randomRequest } from '../../bench/generate/request.ts';
import { PLAIN_SHAPE, randomShape } from '../../bench/generate/shape.ts';
import { clusterText } from '../../bench/generate/text.ts';
import { makeCase } from '../../bench/htools/compare/case.ts';
import { writeFiles } from '../../bench/htools/compare/write-files.ts';
import { PROGRAMS } from '../../bench/launchers.ts';
import { DISK_TEMPLATES } from '../../src/htools/cluster/templates.ts';
import { loadSnapshot } from '../../src/htools/sources/load-snapshot.ts';
import { parseText } from '../../src/htools/sources/text/text.ts';
import { newFolder } from '../builders/folder.ts';

const seeds = Array.from({ length: 120 }, (_, position) => position + 1);
const clusters = seeds.map((seed) => makeCluster(randomShape(seed)));

const FIXED_DRAW = [276479656, 2211928681, 2450059202];

describe('generated clusters', () => {
  it('are the same bytes for the same seed, and others for another', () => {
    for (const program of PROGRAMS) {
      expect(makeCase(program, 11)).to.deep.equal(makeCase(program, 11));
      expect(makeCase(program, 11).files).to.not.deep.equal(makeCase(program, 12).files);
    }
  });

  it('have a random part that stays what it is on every machine', () => {
    const random = new Random(1, 'fixed');
    const drawn = [random.uint32(), random.uint32(), random.uint32()];
    expect(drawn).to.deep.equal(FIXED_DRAW);
  });

  it('cover all disk templates, several groups, tags, absent nodes and exclusive storage', () => {
    const instances = clusters.flatMap((cluster) => cluster.instances);
    const nodes = clusters.flatMap((cluster) => cluster.nodes);
    expect(new Set(instances.map((instance) => instance.template))).to.have.all.keys(DISK_TEMPLATES);
    expect(new Set(clusters.map((cluster) => cluster.groups.length))).to.deep.equal(new Set([1, 2, 3]));
    expect(
      new Set(clusters.flatMap((cluster) => cluster.groups.map((group) => group.allocPolicy))),
    ).to.have.all.keys('preferred', 'last_resort', 'unallocable');
    const tags = clusters.flatMap((cluster) => cluster.tags);
    for (const word of ['iextags', 'nlocation', 'desiredlocation', 'migration', 'allowmigration'])
      expect(
        tags.some((tag) => tag.startsWith(`htools:${word}:`)),
        word,
      ).to.equal(true);
    for (const flag of ['isOffline', 'isDrained', 'isUnknown', 'hasExclusiveStorage'] as const)
      expect(
        nodes.some((node) => node[flag]),
        flag,
      ).to.equal(true);
    expect(instances.some((instance) => instance.isForthcoming)).to.equal(true);
    expect(instances.some((instance) => !instance.isAutoBalanced)).to.equal(true);
    expect(instances.some((instance) => instance.network !== undefined)).to.equal(true);
  });

  it('keep every instance on nodes that exist, and two different ones for drbd', () => {
    for (const { shape, nodes, instances } of clusters)
      for (const { primary, secondary, template } of instances) {
        expect(nodes[primary]).to.not.equal(undefined);
        if (shape.namedShare === 0) expect(secondary >= 0).to.equal(template === 'drbd');
        expect(secondary).to.not.equal(primary);
      }
  });

  it('leave no memory of a plain cluster promised twice', () => {
    const { nodes, instances } = makeCluster(PLAIN_SHAPE);
    nodes.forEach((node, refuge) => {
      const reservedMib = nodes.map((_, home) =>
        instances
          .filter((instance) => instance.primary === home && instance.secondary === refuge)
          .reduce((sum, instance) => sum + instance.memMib, 0),
      );
      expect(Math.max(...reservedMib)).to.be.lessThan(node.freeMemMib);
    });
  });

  it('are odd where they are to be: too little, too much, nothing free, no sums that hold', () => {
    const odd = seeds.map((seed) => {
      const cluster = makeCluster(randomShape(seed));
      makeOdd(cluster, new Random(seed, 'odd'));
      return cluster;
    });
    const nodes = odd.flatMap((cluster) => cluster.nodes);
    const some = (what: string, isSo: (node: MadeNode) => boolean): void => {
      expect(nodes.some(isSo), what).to.equal(true);
    };
    some('less than nothing free', (node) => node.freeMemMib < 0);
    some('more free than there is', (node) => node.freeMemMib > node.totalMemMib && node.totalMemMib > 0);
    some(
      'more for itself than there is',
      (node) => node.nodeMemMib > node.totalMemMib && node.totalMemMib > 0,
    );
    some('no memory', (node) => node.totalMemMib === 0);
    some('more disk free than there is', (node) => node.freeDiskMib > node.totalDiskMib);
    some('less than no disk free', (node) => node.freeDiskMib < 0);
    some('no cpus', (node) => node.cpuCount === 0);
    some('no spindles', (node) => node.spindles === 0);
    const instances = odd.flatMap((cluster) => cluster.instances);
    expect(instances.some((one) => one.template === 'drbd' && one.secondary < 0)).to.equal(true);
    expect(instances.some((one) => one.template !== 'drbd' && one.secondary >= 0)).to.equal(true);
    expect(instances.some((one) => one.memMib === 0)).to.equal(true);
  });

  it('carry tags about repairs that harep knows, and some that it does not', () => {
    const tags = clusters.flatMap((cluster) => {
      const { tags, groups, instances } = withRepairTags(cluster, new Random(cluster.shape.seed, 'repairs'));
      return [...tags, ...[...groups, ...instances].flatMap((one) => one.tags)];
    });
    for (const word of ['failover', 'suspend', 'suspend:4000000000', 'reboot'])
      expect(tags).to.include(`ganeti:watcher:autorepair:${word}`);
    for (const beginning of ['pending:reinstall:', 'result:migrate:'])
      expect(tags.some((tag) => tag.startsWith(`ganeti:watcher:autorepair:${beginning}`))).to.equal(true);
  });

  it('are read alike as a text file and as RAPI tells them', async () => {
    const folder = newFolder();
    const [cluster] = clusters.filter(
      ({ shape, nodes }) => shape.columns === 'full' && nodes.every((n) => !n.isUnknown),
    );
    writeFiles(folder, rapiFiles(cluster!, 'rapi', 'fake', new Random(4)));
    const { snapshot } = await loadSnapshot({ rapiAddress: `file://${folder}/rapi` });
    const { nodes, instances } = parseText(clusterText(cluster!), 'cluster.data');
    expect(snapshot.nodes.map((node) => [node.name, node.group, node.spindles])).to.deep.equal(
      nodes.map((node) => [node.name, node.group, node.spindles]),
    );
    expect(snapshot.instances.map((one) => [one.name, one.primary, one.secondary, one.status])).to.deep.equal(
      instances.map((one) => [one.name, one.primary, one.secondary, one.status]),
    );
  });

  it('are written with five sections, or four without policies', () => {
    for (const cluster of clusters.slice(0, 40)) {
      const text = clusterText(cluster);
      expect(text.endsWith('\n')).to.equal(true);
      expect(text.split(/(?<=^|\n)\n/)).to.have.length(cluster.policy ? 5 : 4);
    }
  });
});

describe('generated requests', () => {
  it('are valid JSON of all six types', () => {
    const [cluster] = clusters;
    for (const type of REQUEST_TYPES) {
      const message = JSON.parse(iallocatorMessage(cluster!, randomRequest(cluster!, type, new Random(3))));
      expect(message.request.type).to.equal(type);
      expect(Object.keys(message.nodes)).to.have.length(cluster!.nodes.length);
      expect(Object.keys(message.instances)).to.have.length(cluster!.instances.length);
    }
  });
});
