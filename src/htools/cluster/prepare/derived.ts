/** What follows for an instance from its tags, its template and the cluster around it. */
import { BASE_UTILISATION, type Instance, type RawInstance, type RawNode } from '../snapshot.ts';
import { isExternal, namedPool } from '../storage/pool-statements.ts';
import { WISH_PREFIXES } from '../tags/placement-tags.ts';
import {
  desiredLocationPrefixes,
  desiredLocationTagsOf,
  exclusionPrefixes,
  exclusionTagsOf,
} from '../tags/tags.ts';
import { isMovableTemplate, mirroringOf } from '../templates.ts';

/** The meaning that cluster tags (and the command line) give to tags of instances. */
interface TagMeanings {
  /** Prefixes with their final colon. */
  readonly exclusion: readonly string[];
  readonly desiredLocation: readonly string[];
}

/** @param extraExclusions prefixes of `--exclusion-tags`, without their final colon */
export const tagMeanings = (
  clusterTags: readonly string[],
  extraExclusions: readonly string[] = [],
): TagMeanings => ({
  exclusion: [
    ...extraExclusions.map((tag) => `${tag}:`),
    ...exclusionPrefixes(clusterTags),
    WISH_PREFIXES.apart,
  ],
  desiredLocation: desiredLocationPrefixes(clusterTags),
});

export const meaningfulTags = (
  { tags }: RawInstance,
  { exclusion, desiredLocation }: TagMeanings,
): Pick<Instance, 'exclusionTags' | 'desiredLocationTags'> => ({
  exclusionTags: exclusionTagsOf(tags, exclusion),
  desiredLocationTags: desiredLocationTagsOf(tags, desiredLocation),
});

/** An instance still to be placed: it shares no names or nodes with the others, and nothing holds it. */
export const asNewInstance = (read: RawInstance, clusterTags: readonly string[]): Instance => ({
  ...read,
  alias: read.name,
  utilisation: BASE_UTILISATION,
  isMovable: isMovableTemplate(read.diskTemplate),
  ...meaningfulTags(read, tagMeanings(clusterTags)),
});

/** Whether template, nodes and storage let it move at all. @param nodes those that it refers to */
export const mayMoveAtAll = (instance: RawInstance, nodes: readonly RawNode[]): boolean =>
  isMovableTemplate(instance.diskTemplate) && isInOneGroup(instance, nodes) && isReachedElsewhere(instance);

/** An instance split over two groups stays where it is. */
function isInOneGroup(instance: RawInstance, nodes: readonly RawNode[]): boolean {
  const primary = nodes[instance.primary];
  const secondary = nodes[instance.secondary];
  return primary === undefined || secondary === undefined || primary.group === secondary.group;
}

/** Shared storage that is said to be a node's own holds the instance there. */
function isReachedElsewhere(instance: RawInstance): boolean {
  const pool = namedPool(instance);
  return pool === undefined || mirroringOf(instance.diskTemplate) !== 'external' || isExternal(pool);
}
