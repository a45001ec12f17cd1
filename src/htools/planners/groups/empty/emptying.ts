/**
 * Can all instances of groups move to others that stay healthy? Source: docs/why/groups.md, "hcompress".
 *
 * Yes with a plan: the largest first, in three ways; who cannot leave yet waits for others to make room. No
 * with a proof: one that can never leave, or fits nowhere even alone; more in use than is free elsewhere; or,
 * for a few instances, an exact search. Otherwise the answer is "not found".
 */
import { kept } from '../../../../kit/kept.ts';
import { everyoneOn } from '../../../model/state/scope.ts';
import { type Shortage, shortagesOf } from '../homes/group-room.ts';
import { askedOf } from '../homes/home-candidates.ts';
import { findHome } from '../homes/homes.ts';
import { GroupRules, type Rules, stayRule } from '../homes/leaving.ts';
import { STRATEGIES, type Strategy } from '../homes/placements.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { isForGood, type Stranded, strandedBy } from '../refusals/refusals.ts';
import { neverLeaving } from '../relocate/departure.ts';
import { inTurns, moveInTurns, type Relocation } from '../relocate/relocation.ts';
import { placeExactly } from './exact-placement.ts';

/** Instances up to which the exact search is worth trying. */
const MOST_EXACT_INSTANCES = 16;
/** From so many instances on, one group is scanned at a time: time matters more than a score's last digit. */
const MANY_INSTANCES = 100;

export interface Emptied {
  readonly isPossible: true;
  readonly relocations: readonly Relocation[];
}

export interface NotEmptied {
  readonly isPossible: false;
  /** The answer holds for every order and every choice of homes; else a way was not found. */
  readonly isProven: boolean;
  readonly shortages: readonly Shortage[];
  readonly stranded: readonly Stranded[];
}

/** Instances with a node in the group, the largest first. */
export const residentsOf = (cluster: SuperCluster, group: number): number[] =>
  cluster.largestFirst(new Set(everyoneOn(cluster.state, cluster.members[group]!)));

export const emptyGroups = (cluster: SuperCluster): number[] =>
  cluster.groups.filter((group) => residentsOf(cluster, group).length === 0);

/** Those of the empty groups that get instances. */
export const filledBy = (empty: readonly number[], relocations: readonly Relocation[]): number[] =>
  empty.filter((group) => relocations.some(({ to }) => to.group === group));

export class Emptying {
  private readonly targets = new Map<readonly number[], readonly number[]>();

  /** @param isTarget whether a group may take instances: healthy ones that are not emptied themselves */
  constructor(
    private readonly cluster: SuperCluster,
    private readonly rules: Rules,
    private readonly isTarget: (group: number) => boolean,
  ) {}

  /** Groups that may take an instance: one list for all that are open to the same. */
  readonly targetsOf = (i: number): readonly number[] => {
    const open = this.rules.openTo(i);
    return kept(this.targets, open, () => open.filter(this.isTarget));
  };

  /** Places instances one after another; undefined, with the state as before, when one finds no home. */
  place(instances: readonly number[], strategy: Strategy): readonly Relocation[] | undefined {
    const { cluster } = this;
    const together = instances.length < MANY_INSTANCES ? undefined : 1;
    const options = { strategy, refreshesOld: false, together };
    const mark = cluster.mark();
    // Nothing leaves the targets here, so what has been refused for good needs not be tried again.
    const refusing = new Map<string, Set<number>>();
    let isHopeless = false;
    const { relocations, waiting } = moveInTurns(instances, (i) => {
      if (isHopeless) return undefined;
      const refusedBy = kept(refusing, askedOf(cluster, i), () => new Set<number>());
      const home = findHome(cluster, i, this.targetsOf(i), { ...options, refusedBy });
      isHopeless = home.kind === 'none';
      return home.relocation;
    });
    if (waiting.length === 0) return relocations;
    cluster.rollback(mark);
    return undefined;
  }

  /**
   * Moves instances out of groups if that is possible; else the state is as before. The emptied groups' own
   * N+1 is not kept up to date. @param instances all that have a node there, the largest first
   */
  empty(instances: readonly number[]): Emptied | NotEmptied {
    if (instances.length === 0) return { isPossible: true, relocations: [] };
    const plain = this.plainRefusal(instances);
    if (plain) return plain;
    for (const strategy of STRATEGIES) {
      const relocations = this.place(instances, strategy);
      if (relocations) return { isPossible: true, relocations };
    }
    const hopeless = this.homelessAlone(instances);
    if (hopeless.some(isForGood)) return refused(true, [], hopeless);
    let isProven = false;
    if (instances.length <= MOST_EXACT_INSTANCES) {
      const exact = placeExactly(this.cluster, instances, this.targetsOf);
      if (exact.relocations) return { isPossible: true, relocations: exact.relocations };
      isProven = exact.isProven;
    }
    return refused(isProven, [], hopeless.length > 0 ? hopeless : this.homelessTogether(instances));
  }

  /** Reasons that hold before any home is looked for; undefined where there is none. */
  private plainRefusal(instances: readonly number[]): NotEmptied | undefined {
    const { cluster } = this;
    const staying = instances.filter((i) => stayRule(cluster, i) !== undefined);
    const targets = [...new Set([...new Set(instances.map(this.targetsOf))].flat())];
    const shortages = targets.length === 0 ? [] : shortagesOf(cluster, instances, targets);
    if (staying.length + shortages.length > 0) return refused(true, shortages, this.strand(staying));
    const blocked = neverLeaving(cluster.state, instances);
    return blocked.length === 0 ? undefined : refused(true, [], this.strand(blocked));
  }

  /** Those that find no home alone, the others being where they are. The state is as before. */
  private homelessAlone(instances: readonly number[]): Stranded[] {
    const { cluster } = this;
    const options = { strategy: 'first', refreshesOld: false } as const;
    const isHomeless = (i: number): boolean =>
      cluster.tentatively(() => findHome(cluster, i, this.targetsOf(i), options)).kind === 'none';
    return this.strand(instances.filter(isHomeless));
  }

  /** Those that find no home once the others have taken theirs. The state is as before. */
  private homelessTogether(instances: readonly number[]): Stranded[] {
    const { cluster } = this;
    const options = { strategy: 'tight', refreshesOld: false } as const;
    return cluster.tentatively(() => {
      const stranded: Stranded[] = [];
      const waiting = inTurns(instances, (i) => {
        const home = findHome(cluster, i, this.targetsOf(i), options);
        if (home.kind === 'none') stranded.push(...this.strand([i], true));
        return home.kind !== 'blocked';
      });
      return [...stranded, ...this.strand(waiting, true)];
    });
  }

  private strand(instances: readonly number[], isAfterOthers = false): Stranded[] {
    return instances.map((i) => strandedBy(this.cluster, this.rules, i, this.isTarget, isAfterOthers));
  }
}

const refused = (
  isProven: boolean,
  shortages: readonly Shortage[],
  stranded: readonly Stranded[],
): NotEmptied => ({ isPossible: false, isProven, shortages, stranded });

/** Whether groups can be emptied together, and how. The state is as before. */
export function emptyOf(
  cluster: SuperCluster,
  groups: readonly number[],
  isTarget: (group: number) => boolean,
  rules: Rules,
): Emptied | NotEmptied {
  const residents = cluster.largestFirst(new Set(groups.flatMap((group) => residentsOf(cluster, group))));
  const isOther = (group: number): boolean => !groups.includes(group) && isTarget(group);
  return cluster.tentatively(() => new Emptying(cluster, rules, isOther).empty(residents));
}

/**
 * The same where somebody else says where instances belong. Source: docs/why/binding.md.
 * @param destination group that an instance has to go to; undefined: any
 */
export function emptyInto(
  cluster: SuperCluster,
  group: number,
  destination: (instance: number) => number | undefined,
): Emptied | NotEmptied {
  const healthy = cluster.healthyGroups();
  const rules = new GroupRules(cluster);
  const openTo = (i: number): readonly number[] => {
    const open = rules.openTo(i);
    const wanted = destination(i);
    return wanted === undefined ? open : open.filter((other) => other === wanted);
  };
  const there: Rules = { openTo, refusalsOf: (i) => rules.refusalsOf(i) };
  return emptyOf(cluster, [group], (other) => healthy.has(other), there);
}
