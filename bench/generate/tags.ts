/**
 * Tags with a meaning (exclusion, location, desired location, migration) and some without, put on a generated
 * cluster.
 */
import type { MadeInstance, MadeNode } from './made-cluster.ts';
import type { Random } from './random.ts';
import type { ClusterShape } from './shape.ts';

const SERVICES = ['shop', 'mail', 'ldap', 'wiki', 'ntp', 'build'];

/** Tags nodes and instances in place and returns the cluster's tags. */
export function tagCluster(
  shape: ClusterShape,
  nodes: readonly MadeNode[],
  instances: readonly MadeInstance[],
  random: Random,
): string[] {
  const clusterTags: string[] = [];
  if (shape.exclusionTagShare > 0) {
    if (random.chance(0.8)) clusterTags.push('htools:iextags:service');
    for (const instance of instances)
      if (random.chance(shape.exclusionTagShare)) instance.tags.push(`service:${random.pick(SERVICES)}`);
  }
  if (shape.locationCount > 0) {
    clusterTags.push('htools:nlocation:power');
    nodes.forEach((node, position) => {
      // A node without a location is allowed.
      if (!random.chance(0.1)) node.tags.push(`power:feed${position % shape.locationCount}`);
      if (random.chance(0.1)) node.tags.push('power:battery');
    });
    if (shape.desiredLocationShare > 0) clusterTags.push('htools:desiredlocation:power');
    for (const instance of instances)
      if (random.chance(shape.desiredLocationShare))
        instance.tags.push(`power:feed${random.below(shape.locationCount)}`);
  }
  if (shape.hypervisorVersions > 0) {
    clusterTags.push('htools:migration:kernel');
    for (let version = 0; shape.allowsUpgrades && version + 1 < shape.hypervisorVersions; version++)
      clusterTags.push(`htools:allowmigration:kernel:v${version}::kernel:v${version + 1}`);
    for (const node of nodes)
      if (!random.chance(0.1)) node.tags.push(`kernel:v${random.below(shape.hypervisorVersions)}`);
  }
  for (const instance of instances)
    if (random.chance(0.15)) instance.tags.push(`team:${random.between(1, 5)}`);
  if (random.chance(0.2)) clusterTags.push('site:testing');
  return clusterTags;
}
