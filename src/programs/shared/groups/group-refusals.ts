/** Why an instance finds no home in another group, in words and as JSON. */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { NO_INTER_GROUP_TAG } from '../../../cluster/tags.ts';
import type { Stranded } from '../../../planners/groups/homes/leaving.ts';
import type { StayRule, TargetRefusal, TargetRule } from '../../../planners/groups/homes/targets.ts';
import { count } from './group-figures.ts';

const STAYS: Readonly<Record<StayRule, string>> = {
  pinned: 'its tag htools:nointergroup keeps it in its group',
  'not-mirrored': 'its disks are on its node only, so it cannot be moved',
  forthcoming: 'it is reserved but not yet created, so there is nothing to move',
  'both-offline': 'both its nodes are offline, so nobody has its data',
  'no-refuge': 'its primary is offline, and its secondary has no memory to start it',
};

const onNodes = ({ nodes }: TargetRefusal): string =>
  nodes === undefined ? '' : ` (${count(nodes, 'node')})`;

function figures({ needed, available, unit }: TargetRefusal): string {
  if (needed === undefined || available === undefined) return '';
  return `: ${needed} ${unit} needed, at most ${Math.max(0, available)} ${unit} to spare on one node`;
}

function reason(refusal: TargetRefusal): string {
  switch (refusal.rule) {
    case 'unallocable':
      return 'its allocation policy is unallocable';
    case 'unhealthy':
      return 'is not healthy itself, or is being emptied';
    case 'partition':
      return `no online node reaches ${refusal.detail ?? 'its storage'}`;
    case 'policy':
      return refusal.detail === undefined ? 'policy' : `its policy refuses the ${refusal.detail}`;
    case 'network':
      return `is not connected to network ${refusal.detail}`;
    case 'memory':
    case 'disk':
    case 'cpu':
      return `${refusal.rule}${figures(refusal)}${onNodes(refusal)}`;
    case 'tags':
      return `an instance with the same exclusion tag is there${onNodes(refusal)}`;
    case 'migration':
      return `migration tags do not let it in${onNodes(refusal)}`;
    case 'spindles':
      return `too few spindles${onNodes(refusal)}`;
    case 'partner':
      return 'only one online node may take it, and it needs two';
    case 'restart':
      return `no placement leaves the group able to lose a node (N+1)${onNodes(refusal)}`;
  }
}

/** One line an instance, and one below it for each group that refuses. */
export function strandedLines(start: Snapshot, stranded: readonly Stranded[], indent: string): string {
  return stranded
    .map(({ instance, stays, refusals }) => {
      const { alias } = start.instances[instance]!;
      if (stays) return `${indent}${alias}: ${STAYS[stays]}\n`;
      if (refusals.length === 0) return `${indent}${alias}: there is no other group\n`;
      const lines = refusals.map((one) => `${indent}  ${start.groups[one.group]!.name}: ${reason(one)}\n`);
      return `${indent}${alias} finds no home:\n${lines.join('')}`;
    })
    .join('');
}

/** The first reason of each group, in one sentence. */
export function strandedSentence(start: Snapshot, stranded: Stranded | undefined): string {
  if (!stranded) return `the cluster has the tag ${NO_INTER_GROUP_TAG}`;
  const { stays, refusals } = stranded;
  if (stays) return STAYS[stays];
  const first = new Map<number, TargetRefusal>();
  for (const refusal of refusals) if (!first.has(refusal.group)) first.set(refusal.group, refusal);
  return first.size === 0
    ? 'there is no other group'
    : [...first.values()].map((one) => `${start.groups[one.group]!.name} (${reason(one)})`).join(', ');
}

/** The same for a JSON document. */
export const strandedJson = (start: Snapshot, stranded: readonly Stranded[]): object[] =>
  stranded.map(({ instance, stays, refusals }) => ({
    instance: start.instances[instance]!.name,
    reason: stays ?? null,
    refusals: refusals.map(({ group, ...rest }) => ({ group: start.groups[group]!.name, ...rest })),
  }));

/** Words for the rules that do not speak for themselves. */
const IN_WORDS: Readonly<Partial<Record<StayRule | TargetRule, string>>> = {
  partition: 'no access to its storage',
  policy: 'instance policy',
  partner: 'one node only',
  restart: 'N+1 would fail',
  tags: 'exclusion tags',
  migration: 'migration tags',
  unhealthy: 'group not healthy',
  pinned: 'tagged to stay',
  'not-mirrored': 'disks on its node only',
  forthcoming: 'not yet created',
  'both-offline': 'both nodes offline',
  'no-refuge': 'no memory on the secondary',
};

/** The rules that refused, by how many refusals each, in a few words: `memory: 12, instance policy: 3`. */
export function refusalCounts(stranded: readonly Stranded[]): string {
  const counts = new Map<StayRule | TargetRule, number>();
  for (const { stays, refusals } of stranded) {
    for (const rule of stays ? [stays] : refusals.map((one) => one.rule))
      counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([rule, n]) => `${IN_WORDS[rule] ?? rule}: ${n}`)
    .join(', ');
}
