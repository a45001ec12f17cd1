/** The checker's own reading of node tags: migration domains and common-failure locations. */

const MIGRATION_PREFIX = 'htools:migration:';
const ALLOW_MIGRATION_PREFIX = 'htools:allowmigration:';
const LOCATION_PREFIX = 'htools:nlocation:';
const ALLOW_SEPARATOR = '::';

function nodeTagsUnder(
  prefix: string,
  clusterTags: readonly string[],
  nodeTags: readonly string[],
): Set<string> {
  const families = clusterTags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length));
  return new Set(nodeTags.filter((tag) => families.some((family) => tag.startsWith(`${family}:`))));
}

/** Tags of a node that name a common-failure domain. Source: hbal(1), "htools:nlocation". */
export const locationTagsOf = (clusterTags: readonly string[], nodeTags: readonly string[]): Set<string> =>
  nodeTagsUnder(LOCATION_PREFIX, clusterTags, nodeTags);

/** Tags that restrict to where instances may migrate from a node. Source: hbal(1), "htools:migration". */
export const migrationTagsOf = (clusterTags: readonly string[], nodeTags: readonly string[]): Set<string> =>
  nodeTagsUnder(MIGRATION_PREFIX, clusterTags, nodeTags);

/** The pair (from, to) of `htools:allowmigration:FROM::TO`; undefined unless exactly one `::` parts it. */
function allowedMigration(clusterTag: string): readonly [string, string] | undefined {
  if (!clusterTag.startsWith(ALLOW_MIGRATION_PREFIX)) return undefined;
  const rule = clusterTag.slice(ALLOW_MIGRATION_PREFIX.length);
  const at = rule.indexOf(ALLOW_SEPARATOR);
  if (at < 0) return undefined;
  const to = rule.slice(at + ALLOW_SEPARATOR.length);
  return to.includes(ALLOW_SEPARATOR) ? undefined : [rule.slice(0, at), to];
}

/** Those that a node takes in: its own, and those that the cluster lets migrate to one of them. */
export function receivableMigrationTagsOf(
  clusterTags: readonly string[],
  nodeTags: readonly string[],
): Set<string> {
  const own = migrationTagsOf(clusterTags, nodeTags);
  const allowed = clusterTags
    .map(allowedMigration)
    .filter((pair) => pair !== undefined)
    .filter(([, to]) => own.has(to))
    .map(([from]) => from);
  return new Set([...own, ...allowed]);
}
