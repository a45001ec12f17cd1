/** Why instances find no home in another group, in words and JSON; what they have in common once. */
import { groupedBy, tallied } from '../../../../kit/grouped.ts';
import { wrapped } from '../../../../kit/report/sentences.ts';
import { count, someOf } from '../../../../kit/text/words.ts';
import { ruleOf } from '../../../cluster/rules.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { NO_INTER_GROUP_TAG } from '../../../cluster/tags/tags.ts';
import type { StayRule, TargetRule } from '../../../planners/groups/homes/leaving.ts';
import type { Stranded } from '../../../results/groups.ts';
import { RESTART } from '../listings/n1-words.ts';
import type { AmountWords } from '../questions/words.ts';

type Refusal = Stranded['refusals'][number];

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

const MOST_REASONS = 5;
const MOST_NAMES = 3;

const STAYS: Readonly<Record<Exclude<StayRule, 'blocked'>, string>> = {
  'hands-off': 'it is to be left alone (tag htools:hands-off)',
  nointergroup: 'its tag htools:nointergroup keeps it in its group',
  forbidden: `the cluster tag ${NO_INTER_GROUP_TAG} forbids moves between groups`,
  'not-mirrored': 'its disks are only on its node, so it cannot be moved',
  forthcoming: 'it is reserved but not yet created, so there is nothing to move',
  'both-offline': 'both its nodes are offline, so nobody has its data',
};

type Short = (name: string) => string;

export function aliasesIn({ nodes, instances }: Snapshot): Short {
  const aliases = new Map([...nodes, ...instances].map(({ name, alias }) => [name, alias]));
  return (name) => aliases.get(name)!;
}

export function stayReason(
  { reason, departure }: Pick<Stranded, 'reason' | 'departure'>,
  short: Short,
): string {
  if (reason !== 'blocked') return STAYS[reason as keyof typeof STAYS];
  const parts = departure.map(
    ({ node, role, rule }) =>
      `its ${role} ${short(node)} ${rule === 'offline' ? 'is offline' : ruleOf(rule)!.inTheWay}`,
  );
  return `it cannot leave by way of either of its nodes: ${parts.join(', and ')}`;
}

type RefusalFigures = Omit<Refusal, 'group'>;

const onNodes = ({ nodes }: RefusalFigures): string =>
  nodes === undefined ? '' : ` (${count(nodes, 'node')})`;

const inFull: AmountWords = (amount, unit) => `${amount} ${unit}`;

function figures({ needed, available, unit, withForthcoming }: RefusalFigures, words: AmountWords): string {
  const books = withForthcoming ? ', forthcoming instances included' : '';
  if (needed === undefined || available === undefined) return books;
  return `: ${words(needed, unit!)} needed, at most ${words(available, unit!)} to spare on one node${books}`;
}

/** What groups say, where more than the words of a rule of placement and its figures is to be said. */
const SAID: Readonly<Partial<Record<TargetRule, (refusal: RefusalFigures, words: AmountWords) => string>>> = {
  'left-out': () => 'left out by option',
  unallocable: () => 'its allocation policy is unallocable',
  'hands-off': (one) => `its nodes are to be left alone (tag htools:hands-off)${onNodes(one)}`,
  unhealthy: () => 'not healthy itself',
  alone: () => 'shares no storage pool with another group',
  emptied: () => 'being emptied itself',
  'pool-access': ({ detail = 'its storage' }) => `no online node reaches ${detail}`,
  policy: ({ detail }) => (detail === undefined ? 'policy' : `its policy refuses the ${detail}`),
  network: ({ detail }) => `not connected to network ${detail}`,
  partner: () => 'only one online node may take it, and it needs two',
  takeover: (one, words) => `no secondary could take it over${figures(one, words)}${onNodes(one)}`,
  restart: (one) => `no placement leaves the group able to lose a node (N+1, ${RESTART})${onNodes(one)}`,
  'not-found': (one) =>
    `no placement was found that leaves the group able to lose a node (N+1, ${RESTART}); some could not be decided${onNodes(one)}`,
  others: () => 'has room for it, but not for all of them together',
};

export const refusalReason = (refusal: RefusalFigures, words: AmountWords = inFull): string =>
  SAID[refusal.rule as TargetRule]?.(refusal, words) ??
  `${ruleOf(refusal.rule)?.ofGroup ?? refusal.rule}${figures(refusal, words)}${onNodes(refusal)}`;

const refusalLine = (groups: readonly string[], refusal: Refusal, indent: string): string =>
  wrapped(indent, `${groups.join(', ')}: ${refusalReason(refusal)}`);

export const refusalLines = (refusals: readonly Refusal[]): string =>
  refusals.map((refusal) => refusalLine([refusal.group], refusal, '  ')).join('');

function bucketLines(short: Short, bucket: ReturnType<typeof bucketsOf>[number], indent: string): string {
  const { instances, reason, refusals, isAfterOthers } = bucket;
  const isOne = instances.length === 1;
  const names = someOf(instances.map(short), MOST_NAMES);
  if (reason !== null) {
    const head = isOne ? names : `${instances.length} instances (${names}), each`;
    return wrapped(indent, `${head}: ${stayReason(bucket, short)}`);
  }
  const after = isAfterOthers ? ', once the others have moved' : '';
  const head = isOne
    ? `${names} finds no home${after}`
    : `${instances.length} instances find no home${after} (${names})`;
  if (refusals.length === 0) return wrapped(indent, `${head}: there is no other group`);
  const lines = refusals.map(({ groups, refusal }) => refusalLine(groups, refusal, `${indent}  `));
  return `${wrapped(indent, `${head}:`)}${lines.join('')}`;
}

/** The reasons, what instances have in common once. @param isVerbose all, an instance at a time */
export function strandedLines(
  short: Short,
  stranded: readonly Stranded[],
  indent: string,
  isVerbose: boolean,
): string {
  const buckets = bucketsOf(stranded, !isVerbose);
  const shown = isVerbose ? buckets : buckets.slice(0, MOST_REASONS);
  const left = buckets.slice(shown.length).reduce((sum, { instances }) => sum + instances.length, 0);
  const more =
    left > 0 ? wrapped(indent, `${count(left, 'further instance')} for other reasons; -v shows all`) : '';
  return shown.map((bucket) => bucketLines(short, bucket, indent)).join('') + more;
}

export function strandedSentence(start: Snapshot, stranded: Stranded | undefined): string {
  if (!stranded) return `the cluster has the tag ${NO_INTER_GROUP_TAG}`;
  const { reason, refusals } = stranded;
  if (reason !== null) return stayReason(stranded, aliasesIn(start));
  if (refusals.length === 0) return 'there is no other group';
  return [...groupedBy(refusals, ({ group }) => group)]
    .map(([group, [first]]) => `${group} (${refusalReason(first!)})`)
    .join(', ');
}

/** What is no rule of placement, where it does not speak for itself. */
const IN_WORDS: Readonly<Partial<Record<string, string>>> = {
  partner: 'one node only',
  takeover: 'no secondary to take over',
  restart: `N+1 (${RESTART}) would fail`,
  'not-found': 'no placement found',
  others: 'no room for all together',
  unhealthy: 'group not healthy',
  alone: 'group without a common pool',
  emptied: 'group being emptied',
  nointergroup: 'tagged to stay',
  forbidden: 'moves between groups forbidden',
  'not-mirrored': 'disks on its node only',
  forthcoming: 'not yet created',
  'both-offline': 'both nodes offline',
  blocked: 'no way off its nodes',
};

/** The rules that refused, by how many refusals each, in a few words: `memory: 12, instance policy: 3`. */
export function refusalCounts(stranded: readonly Stranded[]): string {
  const rules = stranded.flatMap(({ reason, refusals }) => reason ?? refusals.map((one) => one.rule));
  return [...tallied(rules)]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([rule, n]) => `${ruleOf(rule)?.short ?? IN_WORDS[rule] ?? rule}: ${n}`)
    .join(', ');
}

/** What stands in the way of one placement; the rule may be about a whole group. @param refusal as told */
export const groupRefusalWords = (refusal: RefusalFigures): string =>
  refusal.rule === 'restart' && refusal.nodes === undefined
    ? `it could not lose a node any more (N+1, ${RESTART})`
    : refusalReason(refusal);
