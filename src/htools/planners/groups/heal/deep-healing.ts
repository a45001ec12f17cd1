/** Healing at the lowest price: the deep search over what its ways have found. Source: docs/why/groups.md. */
import { instancesOn } from '../../../model/state/scope.ts';
import type { DeepOptions } from '../../anneal/budget.ts';
import { RandomStream } from '../../anneal/random.ts';
import { type Aim, isLeft, lastResorts, type Merit } from '../cheaper/aim.ts';
import { findCheaper } from '../cheaper/cheaper.ts';
import { fixedRule, type GroupRules, stayRule } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { isWithin, type Relocation } from '../relocate/relocation.ts';
import { type Survey, takersWith } from './survey.ts';

/** What is spent on healing groups that no way heals, of all that there is. */
const MORE_SHARE = 0.35;

interface DeepHealing extends DeepOptions {
  readonly cluster: SuperCluster;
  readonly rules: GroupRules;
  readonly survey: Survey;
  readonly watch: (group: number) => void;
}

/** Groups that are healed by relocations in an order in which they can be made. */
interface Healed {
  readonly groups: readonly number[];
  readonly relocations: readonly Relocation[];
}

/** Groups to be healed, and instances of groups that stay sick that leave offline nodes all the same. */
interface Wanted {
  readonly groups: readonly number[];
  readonly saved: readonly number[];
}

const deadNodesOf = ({ sick }: Survey, groups: readonly number[]): number[] =>
  sick.filter(({ group }) => groups.includes(group)).flatMap(({ deadNodes }) => deadNodes);

/** What is wanted, seen from the state before anything is done. */
function aimOf({ cluster, rules, survey }: DeepHealing, { groups: healed, saved }: Wanted): Aim {
  const { state, members } = cluster;
  const leaves = new Uint8Array(state.nodeCount);
  // Of two groups where its nodes are in two: the dead one may be the secondary.
  const others = saved.flatMap((i) => [state.primary[i]!, state.secondary[i]!].map((n) => state.groupOf[n]!));
  for (const n of deadNodesOf(survey, [...healed, ...others])) leaves[n] = 1;
  const mayMove = (i: number): boolean =>
    fixedRule(cluster, i) === undefined && (cluster.isBalanced(i) || isLeft(leaves, state, i));
  const residents = instancesOn(
    state,
    healed.flatMap((group) => members[group]!),
  );
  const movable = [...new Set([...residents.filter(mayMove), ...saved])].sort((a, b) => a - b);
  const takers = takersWith(survey, healed);
  const openTo = (i: number): readonly number[] =>
    stayRule(cluster, i) !== undefined
      ? []
      : rules.openTo(i).filter((group) => group !== cluster.groupOf(i) && takers.has(group));
  const open = new Map(movable.map((i) => [i, openTo(i)]));
  return { movable, leaves, healed: new Set(healed), staysWithin: true, targetsOf: (i) => open.get(i)! };
}

/** How good a plan is whose end the state shows: it has to do what is wanted. */
const meritOf =
  (
    { cluster, survey }: DeepHealing,
    { groups, saved }: Wanted,
    { leaves }: Aim,
    mostLastResorts: number,
  ): ((relocations: readonly Relocation[]) => Merit) =>
  (relocations) => {
    if (lastResorts(cluster, relocations) > mostLastResorts) return undefined;
    if (saved.some((i) => isLeft(leaves, cluster.state, i))) return undefined;
    if (![...groups, ...survey.healthy].every((group) => cluster.isHealthy(group))) return undefined;
    return [cluster.priceOf(relocations), relocations.filter((one) => !isWithin(one)).length];
  };

/** Heals groups that no way heals; state as before. @param begin healed already @param groups the others */
export function healMore(options: DeepHealing, begin: Healed, groups: readonly number[]): Healed {
  const { cluster, survey, budget, seed } = options;
  const random = new RandomStream(seed, 0);
  let best = begin;
  groups.forEach((group, k) => {
    options.watch(group);
    const wanted = { groups: [...best.groups, group], saved: [] };
    const aim = aimOf(options, wanted);
    const leaving = instancesOn(cluster.state, deadNodesOf(survey, [group]));
    if (leaving.some((i) => fixedRule(cluster, i) !== undefined)) return;
    const until = budget.share + (MORE_SHARE - budget.share) / (groups.length - k);
    // Groups of last resort are open where nothing else was found.
    const merit = meritOf(options, wanted, aim, Number.POSITIVE_INFINITY);
    const search = { cluster, aim, random, budget, until, merit, isFirstEnough: true };
    const relocations = findCheaper(search, best.relocations);
    if (relocations) best = { groups: wanted.groups, relocations };
  });
  return best;
}

/** The same at the lowest price found; the state is as before. */
export function healCheaper(options: DeepHealing, begin: Healed & Wanted): readonly Relocation[] {
  const { cluster, budget, seed } = options;
  const aim = aimOf(options, begin);
  const merit = meritOf(options, begin, aim, lastResorts(cluster, begin.relocations));
  const random = new RandomStream(seed, 1);
  return (
    findCheaper({ cluster, aim, random, budget, until: 1, merit }, begin.relocations) ?? begin.relocations
  );
}
