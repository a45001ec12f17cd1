/** Healing at the lowest price: the deep search over what its ways have found. Source: docs/why/groups.md. */
import { instancesOn } from '../../../model/state/scope.ts';
import { IS_AUTO_BALANCED, IS_MOVABLE } from '../../../model/state/state.ts';
import { RandomStream } from '../../anneal/random.ts';
import { type Aim, type GroupSearch, isLeft, lastResorts } from '../cheaper/aim.ts';
import { findCheaper } from '../cheaper/cheaper.ts';
import { fixedRule, type GroupRules, stayRule } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { priceOfAll } from '../relocate/job-schedule.ts';
import { isWithin, type Relocation } from '../relocate/relocation.ts';
import type { Survey } from './survey.ts';

/** What is spent on healing groups that no way heals, of all that there is. */
const MORE_SHARE = 0.35;

export interface DeepHealing extends GroupSearch {
  readonly cluster: SuperCluster;
  readonly rules: GroupRules;
  readonly survey: Survey;
  readonly watch: (group: number) => void;
}

/** Groups that are healed by relocations in an order in which they can be made. */
export interface Healed {
  readonly groups: readonly number[];
  readonly relocations: readonly Relocation[];
}

/** A plan that heals groups and saves some instances of others. */
interface Saving extends Healed {
  /** Instances of groups that stay sick that leave offline nodes all the same. */
  readonly saved: readonly number[];
}

const deadNodesOf = ({ survey }: DeepHealing, groups: readonly number[]): number[] =>
  survey.sick.filter(({ group }) => groups.includes(group)).flatMap(({ deadNodes }) => deadNodes);

/** What is wanted, seen from the state before anything is done. */
function aimOf(options: DeepHealing, { groups: healed, saved }: Pick<Saving, 'groups' | 'saved'>): Aim {
  const { cluster, rules, survey } = options;
  const { state, members } = cluster;
  const leaves = new Uint8Array(state.nodeCount);
  const others = saved.map((i) => state.groupOf[state.primary[i]!]!);
  for (const n of deadNodesOf(options, [...healed, ...others])) leaves[n] = 1;
  const balanced = IS_MOVABLE | IS_AUTO_BALANCED;
  const mayMove = (i: number): boolean =>
    fixedRule(cluster, i) === undefined &&
    ((state.flags[i]! & balanced) === balanced || isLeft(leaves, state, i));
  const residents = instancesOn(
    state,
    healed.flatMap((group) => members[group]!),
  );
  const movable = [...new Set([...residents.filter(mayMove), ...saved])].sort((a, b) => a - b);
  const targets = new Set([...survey.healthy, ...healed.filter((group) => !survey.alone.includes(group))]);
  const open = new Map(
    movable.map((i) => {
      const own = state.groupOf[state.primary[i]!]!;
      const stays = survey.isForbidden || stayRule(cluster, i) !== undefined;
      return [i, stays ? [] : rules.of(i).open.filter((group) => group !== own && targets.has(group))];
    }),
  );
  return { movable, leaves, healed: new Set(healed), staysWithin: true, targetsOf: (i) => open.get(i)! };
}

/** How good a plan is whose end the state shows; undefined where it does not do what is wanted. */
function meritOf(
  { cluster, survey, rates }: DeepHealing,
  { groups, saved }: Pick<Saving, 'groups' | 'saved'>,
  { leaves }: Aim,
  mostLastResorts: number,
): (relocations: readonly Relocation[]) => readonly number[] | undefined {
  const { state, snapshot } = cluster;
  return (relocations) => {
    if (lastResorts(cluster, relocations) > mostLastResorts) return undefined;
    if (saved.some((i) => isLeft(leaves, state, i))) return undefined;
    if ([...groups, ...survey.healthy].some((group) => cluster.healthOf(group).state !== 'healthy'))
      return undefined;
    const price = priceOfAll(snapshot, relocations, rates);
    return [price, relocations.filter((one) => !isWithin(one)).length];
  };
}

/** Heals groups that no way heals; state as before. @param begin healed already @param groups the others */
export function healMore(options: DeepHealing, begin: Healed, groups: readonly number[]): Healed {
  const { cluster, budget, rates } = options;
  const random = new RandomStream(options.seed, 0);
  let best = begin;
  groups.forEach((group, k) => {
    options.watch(group);
    const wanted = { groups: [...best.groups, group], saved: [] };
    const aim = aimOf(options, wanted);
    const isHopeless = instancesOn(cluster.state, deadNodesOf(options, [group])).some(
      (i) => fixedRule(cluster, i) !== undefined,
    );
    if (isHopeless) return;
    const until = budget.share + (MORE_SHARE - budget.share) / (groups.length - k);
    // Groups of last resort are open where nothing else was found.
    const merit = meritOf(options, wanted, aim, Number.POSITIVE_INFINITY);
    const found = findCheaper(
      { cluster, aim, random, rates, budget, until, merit, isFirstEnough: true },
      best.relocations,
    );
    if (found) best = { groups: wanted.groups, relocations: found };
  });
  return best;
}

/** The same at the lowest price found; the state is as before. */
export function healCheaper(options: DeepHealing, begin: Saving): readonly Relocation[] {
  const { cluster, budget, rates } = options;
  const aim = aimOf(options, begin);
  const merit = meritOf(options, begin, aim, lastResorts(cluster, begin.relocations));
  const random = new RandomStream(options.seed, 1);
  return (
    findCheaper({ cluster, aim, random, rates, budget, until: 1, merit }, begin.relocations) ??
    begin.relocations
  );
}
