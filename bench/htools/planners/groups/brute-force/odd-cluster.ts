/**
 * Small super clusters in which everything that work between groups has to mind happens often: dead and
 * drained nodes, nodes without a free MiB of memory or disk, pools, tags, narrow policies, instances to come,
 * pinned and stopped ones. One seed, one cluster, as text.
 */
import { Random } from '../../../../generate/random.ts';

interface OddNode {
  readonly name: string;
  readonly group: number;
  readonly isOffline: boolean;
  readonly slackMem: number;
  readonly slackDisk: number;
  readonly pools: string;
  readonly tags: string;
  usedMem: number;
  usedDisk: number;
}

const NODE_MEM = 512;
const CPUS = 16;

const POLICIES = { preferred: 9, last_resort: 2, unallocable: 1 } as const;

function nodesOf(random: Random, groups: number, hasPools: boolean, hasTags: boolean): OddNode[] {
  const nodes: OddNode[] = [];
  for (let group = 0; group < groups; group++) {
    const count = random.between(2, 3);
    // Some groups are odd, the others calm, so that there is somebody to help.
    const isOdd = group === 0 || random.chance(0.3);
    const dead = isOdd && random.chance(0.6) ? random.between(0, count - 1) : -1;
    const least = isOdd ? 1 : random.between(3, 9);
    for (let k = 0; k < count; k++) {
      nodes.push({
        name: `${String.fromCharCode(97 + group)}${k + 1}`,
        group,
        isOffline: k === dead,
        // Free besides what instances take; on odd ones now and then not a MiB.
        slackMem: isOdd && random.chance(0.3) ? 0 : random.between(least, least + 6) * 512,
        slackDisk: isOdd && random.chance(0.2) ? 0 : random.between(5, 30) * 1000,
        pools: hasPools ? `|internal/lvm${random.chance(0.7) ? ',external/p' : ''}` : '',
        tags: hasTags ? random.pick(['', 'mig:old', 'mig:new', 'mig:new']) : '',
        usedMem: 0,
        usedDisk: 0,
      });
    }
  }
  return nodes;
}

function instanceLine(
  random: Random,
  nodes: readonly OddNode[],
  name: string,
  hasPools: boolean,
): string | undefined {
  const group = random.chance(0.45) ? 0 : random.pick([...new Set(nodes.map((node) => node.group))]);
  const members = nodes.filter((node) => node.group === group);
  const template = random.weighted({ drbd: 6, ext: 4, plain: 0.4, diskless: 0.6 });
  const primary = random.pick(members);
  const others = members.filter((node) => node !== primary);
  const secondary = template === 'drbd' ? random.pick(others) : undefined;
  if (template === 'ext' && hasPools && !primary.pools.includes('external/p')) return undefined;
  const mem = random.pick([512, 1024, 1536, 2048, 3072, 4096]);
  const disk = template === 'diskless' ? 0 : random.pick([1000, 4000, 9000]);
  const isComing = random.chance(0.05);
  const isDown = random.chance(0.1);
  const runs = isDown ? 'ADMIN_down' : 'running';
  const status = primary.isOffline && !isDown && random.chance(0.6) ? 'ERROR_nodeoffline' : runs;
  if (!isComing) {
    if (!isDown) primary.usedMem += mem;
    if (template === 'drbd' || template === 'plain') primary.usedDisk += disk;
    if (secondary) secondary.usedDisk += disk;
  }
  const tags = [
    ...(random.chance(0.06) ? ['htools:nointergroup'] : []),
    ...(random.chance(0.2) ? [`svc:${random.pick(['a', 'b'])}`] : []),
  ];
  const pool = hasPools
    ? template === 'ext'
      ? '|external|p'
      : template === 'diskless'
        ? ''
        : '|internal|lvm'
    : '';
  const fields = [
    name,
    mem,
    disk,
    random.between(1, 2),
    status,
    random.chance(0.93) ? 'Y' : 'N',
    primary.name,
    secondary?.name ?? '',
    template,
    tags.join(','),
    1,
    '-',
    isComing ? 'Y' : 'N',
  ];
  return fields.join('|') + pool;
}

/** The cluster of a seed in the text form that the programs read. */
export function oddCluster(seed: number): string {
  const random = new Random(seed, 'odd-super-cluster');
  const groups = random.between(2, 4);
  const hasPools = random.chance(0.35);
  const hasTags = random.chance(0.2);
  const nodes = nodesOf(random, groups, hasPools, hasTags);
  const count = random.between(2, 2 * groups + 1);
  const instances = Array.from({ length: count }, (_, k) =>
    instanceLine(random, nodes, `v${k + 1}`, hasPools),
  ).filter((line) => line !== undefined);
  const ratios = (): string =>
    `${random.weighted({ '8.0': 8, '0.2': 1 })}|${random.weighted({ '32.0': 8, '2.0': 1 })}`;
  const policy = (): string => {
    const most = random.weighted({ 65536: 8, 2048: 1 });
    const templates = random.weighted({ 'drbd,plain,ext,diskless': 9, 'plain,ext,diskless': 1 });
    return `512,1,1024,1,1,1|1,1,0,0,0,0;${most},64,1048576,16,8,12|${templates}|${ratios()}`;
  };
  const names = Array.from({ length: groups }, (_, k) => String.fromCharCode(97 + k));
  const nodeLine = (node: OddNode): string => {
    const mem = NODE_MEM + node.usedMem + node.slackMem;
    const disk = node.usedDisk + node.slackDisk;
    return `${node.name}|${mem}|${NODE_MEM}|${node.slackMem}|${disk}|${node.slackDisk}|${CPUS}|${
      node.isOffline ? 'Y' : 'N'
    }|uuid-${names[node.group]}|1|${node.tags}|N|0|1|1.0${node.pools}`;
  };
  const clusterTags = [
    'htools:iextags:svc',
    ...(hasTags ? ['htools:migration:mig', 'htools:allowmigration:mig:old::mig:new'] : []),
  ];
  const whole = policy();
  return [
    ...names.map((name) => `${name}|uuid-${name}|${random.weighted(POLICIES)}||`),
    '',
    ...nodes.map(nodeLine),
    '',
    ...instances,
    '',
    ...clusterTags,
    '',
    `|${whole}`,
    ...names.map((name) => `${name}|${random.chance(0.8) ? whole : policy()}`),
    '',
  ].join('\n');
}
