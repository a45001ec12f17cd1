/**
 * Tags about repairs, as operators and harep itself leave them on instances, groups and the cluster. Source:
 * harep(1).
 */
import type { MadeCluster } from './made-cluster.ts';
import type { Random } from './random.ts';

const PREFIX = 'ganeti:watcher:autorepair:';
const TYPES = ['fix-storage', 'migrate', 'failover', 'reinstall'];
const RESULTS = ['success', 'failure', 'enoperm'];
const LONG_AGO = 1_000_000_000;
const FAR_AHEAD = 4_000_000_000;

const repairId = (random: Random): string =>
  `${random.pick(['a', 'b', 'c'])}0000000-0000-4000-8000-00000000000${random.below(10)}`;

const jobIds = (random: Random): string =>
  Array.from({ length: random.between(1, 3) }, () => random.between(1, 99)).join('+');

const permission = (random: Random): string => `${PREFIX}${random.pick(TYPES)}`;

function suspension(random: Random): string {
  if (random.chance(0.5)) return `${PREFIX}suspend`;
  return `${PREFIX}suspend:${random.pick([LONG_AGO, FAR_AHEAD])}`;
}

/** A repair that harep has begun or finished. */
function history(random: Random): string {
  const start = `${random.pick(TYPES)}:${repairId(random)}:${LONG_AGO + random.below(1000)}`;
  if (random.chance(0.4)) return `${PREFIX}pending:${start}:${jobIds(random)}`;
  return `${PREFIX}result:${start}:${random.pick(RESULTS)}:${random.chance(0.8) ? jobIds(random) : ''}`;
}

const MALFORMED = ['pending:failover', 'result:failover:x:y:z', 'suspend:soon', 'reboot', ''];

function someTags(random: Random, share: number): string[] {
  const tags: string[] = [];
  if (random.chance(share)) tags.push(permission(random));
  if (random.chance(share / 8)) tags.push(permission(random));
  if (random.chance(share / 5)) tags.push(suspension(random));
  if (random.chance(share / 20)) tags.push(PREFIX + random.pick(MALFORMED));
  return tags;
}

/** The cluster with such tags beside those that it has. */
export function withRepairTags(cluster: MadeCluster, random: Random): MadeCluster {
  const share = random.real(0, 1);
  const historyShare = random.chance(0.5) ? random.real(0, 0.3) : 0;
  return {
    ...cluster,
    groups: cluster.groups.map((group) => ({
      ...group,
      tags: [...group.tags, ...someTags(random, share / 3)],
    })),
    instances: cluster.instances.map((instance) => ({
      ...instance,
      tags: [
        ...instance.tags,
        ...someTags(random, share),
        ...(random.chance(historyShare) ? [history(random)] : []),
        ...(random.chance(historyShare / 5) ? [history(random)] : []),
      ],
    })),
    tags: [...cluster.tags, ...someTags(random, share / 3)],
  };
}
