/** Instances that find no home, those with the same reasons together. */
import { groupedBy } from '../../../../kit/grouped.ts';
import type { Stranded } from '../../../results/groups.ts';

export type Refusal = Stranded['refusals'][number];

export type StrandedBucket = ReturnType<typeof bucketsOf>[number];

const ruleKey = ({ rule, detail, withForthcoming }: Refusal): string =>
  `${rule} ${detail ?? ''} ${withForthcoming ?? false}`;

const keyOf = ({ reason, departure, refusals, isAfterOthers }: Stranded): string =>
  JSON.stringify([reason, departure, refusals.map((one) => [one.group, ruleKey(one)]), isAfterOthers]);

/**
 * One refusal for several that say the same: the least that an instance needs, and the most that a group has;
 * none where these do not tell. They may be too many to be arguments.
 */
function merged(refusals: readonly Refusal[]): Refusal {
  const { needed: _n, available: _a, nodes, unit, ...rest } = refusals[0]!;
  let needed = Number.POSITIVE_INFINITY;
  let available = Number.NEGATIVE_INFINITY;
  for (const one of refusals) {
    needed = Math.min(needed, one.needed ?? Number.NEGATIVE_INFINITY);
    available = Math.max(available, one.available ?? Number.POSITIVE_INFINITY);
  }
  return {
    ...rest,
    ...(needed > available && { needed, available, unit }),
    ...(refusals.every((one) => one.nodes === nodes) && { nodes }),
  };
}

/** Groups with the same rule together, in order of the first. */
function shared(all: readonly Stranded[]) {
  const byRule = groupedBy(
    all.flatMap(({ refusals }) => refusals),
    ruleKey,
  );
  return [...byRule.values()].map((refusals) => ({
    groups: [...new Set(refusals.map(({ group }) => group))],
    refusal: merged(refusals),
  }));
}

/** @param together puts those with the same reasons together, those with most instances first */
export function bucketsOf(list: readonly Stranded[], together: boolean) {
  const byKey = groupedBy(list, (one) => (together ? keyOf(one) : one.instance));
  const buckets = [...byKey.values()].map((all) => {
    const { reason, departure, isAfterOthers } = all[0]!;
    const instances = all.map(({ instance }) => instance);
    return { reason, departure, isAfterOthers, instances, refusals: shared(all) };
  });
  return together ? buckets.sort((a, b) => b.instances.length - a.instances.length) : buckets;
}
