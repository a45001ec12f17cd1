/** Instances that find no home for the same reasons, put together; facts for the reports. */
import { groupedBy } from '../../../../kit/grouped.ts';
import type { TargetRefusal } from '../homes/targets.ts';
import type { Stranded } from './refusals.ts';

/** Groups that say the same. */
interface SharedRefusal {
  readonly groups: readonly number[];
  /** The least that an instance needs, and the most that a group has; none where these do not tell. */
  readonly refusal: TargetRefusal;
}

export interface StrandedBucket extends Pick<Stranded, 'stays' | 'departure' | 'isAfterOthers'> {
  readonly instances: readonly number[];
  readonly refusals: readonly SharedRefusal[];
}

const ruleKey = ({ rule, detail, withForthcoming }: TargetRefusal): string =>
  `${rule} ${detail ?? ''} ${withForthcoming ?? false}`;

const keyOf = ({ stays, departure, refusals, isAfterOthers }: Stranded): string =>
  JSON.stringify([stays, departure, refusals.map((one) => [one.group, ruleKey(one)]), isAfterOthers]);

/** One refusal for several that say the same but for their figures. They may be too many to be arguments. */
function merged(refusals: readonly TargetRefusal[]): TargetRefusal {
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
function shared(stranded: readonly Stranded[]): SharedRefusal[] {
  const byRule = groupedBy(
    stranded.flatMap(({ refusals }) => refusals),
    ruleKey,
  );
  return [...byRule.values()].map((refusals) => ({
    groups: [...new Set(refusals.map(({ group }) => group))],
    refusal: merged(refusals),
  }));
}

/** @param together puts those with the same reasons together, those with most instances first */
export function bucketsOf(stranded: readonly Stranded[], together: boolean): StrandedBucket[] {
  const byKey = groupedBy(stranded, (one) => (together ? keyOf(one) : one.instance));
  const buckets = [...byKey.values()].map((all): StrandedBucket => {
    const { stays, departure, isAfterOthers } = all[0]!;
    return {
      stays,
      departure,
      isAfterOthers,
      instances: all.map(({ instance }) => instance),
      refusals: shared(all),
    };
  });
  return together ? buckets.sort((a, b) => b.instances.length - a.instances.length) : buckets;
}
