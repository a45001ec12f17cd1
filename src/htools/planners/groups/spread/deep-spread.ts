/**
 * Spreading at the lowest price, with no more disk copied: walks over groups say who is to go where; then the
 * homes are sought. What finds none is not asked of that group again, and the next walk begins with what did.
 * Source: docs/why/groups.md.
 */
import { kept } from '../../../../kit/kept.ts';
import type { DeepOptions } from '../../anneal/budget.ts';
import { RandomStream } from '../../anneal/random.ts';
import { Best, lastResorts, type Merit } from '../cheaper/aim.ts';
import { findHome } from '../homes/homes.ts';
import type { GroupRules } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { moveInTurns, type Relocation } from '../relocate/relocation.ts';
import type { GroupLoads } from './group-load.ts';
import { EQUAL_SHARE, GroupWalk, type Traveller } from './group-walk.ts';

export interface SpreadStep {
  readonly relocation: Relocation;
  /** Spread after the step. */
  readonly score: number;
}

/** Of plans of the same price, so much of the spread at the start counts as much as one move. */
const SHARE_A_MOVE = 0.01;
/** Temperatures to begin with, in moves of middling size, and whether from the best plan so far. */
const WALKS = [
  { isFromBest: false, hottest: 3, isStrict: false },
  { isFromBest: true, hottest: 0.05, isStrict: true },
  { isFromBest: true, hottest: 0.3, isStrict: false },
  { isFromBest: true, hottest: 0.05, isStrict: true },
  { isFromBest: false, hottest: 1, isStrict: false },
  { isFromBest: true, hottest: 0.1, isStrict: true },
];

interface DeepSpread extends DeepOptions {
  readonly cluster: SuperCluster;
  readonly loads: GroupLoads;
  readonly rules: GroupRules;
  /** Instances that may move, and groups that may take them. */
  readonly movable: readonly number[];
  readonly healthy: ReadonlySet<number>;
  /** Moves in all; infinite for no limit. */
  readonly mostMoves: number;
}

/** @param used groups that the plan known already goes to: of those of last resort only these are open */
function travellersOf(
  { cluster, rules, movable, healthy }: DeepSpread,
  used: ReadonlySet<number>,
): Traveller[] {
  const { state } = cluster;
  const isOpen = (group: number): boolean =>
    healthy.has(group) && (!cluster.isLastResort(group) || used.has(group));
  /** One list for all that are open to the same and come from one group. */
  const lists = new Map<readonly number[], Map<number, readonly number[]>>();
  return movable.flatMap((instance): Traveller[] => {
    const from = cluster.groupOf(instance);
    const all = rules.openTo(instance);
    const open = kept(
      kept(lists, all, () => new Map<number, readonly number[]>()),
      from,
      () => all.filter((group) => group !== from && isOpen(group)),
    );
    if (state.isOffline[state.primary[instance]!] || open.length === 0) return [];
    return [{ instance, from, open, price: cluster.priceOfLeaving(instance) }];
  });
}

/** The best relocations found, those that are known included. The state is as before. */
function search(options: DeepSpread, begin: readonly Relocation[], goal: number): readonly Relocation[] {
  const { cluster, loads, healthy, seed, budget, mostMoves } = options;
  const before = loads.score;
  const travellers = travellersOf(options, new Set(begin.map(({ to }) => to.group)));
  if (travellers.length === 0 || !(before > 0)) return begin;
  /** Groups that had no home for a traveller, as one number for both. */
  const refused = new Set<number>();
  const pair = (t: number, group: number): number => group * travellers.length + t;
  const mostDiskMib = cluster.copiedMib(begin);
  const mostLastResorts = lastResorts(cluster, begin);
  const best = new Best(begin);

  /** How good relocations are whose end the state shows. */
  const meritOf = (relocations: readonly Relocation[]): Merit => {
    loads.refresh(loads.groups);
    if (loads.score > goal * (1 + EQUAL_SHARE) || relocations.length > mostMoves) return undefined;
    if (lastResorts(cluster, relocations) > mostLastResorts) return undefined;
    if (![...healthy].every((group) => cluster.isHealthy(group))) return undefined;
    if (cluster.copiedMib(relocations) > mostDiskMib) return undefined;
    return [cluster.priceOf(relocations), loads.score / before + SHARE_A_MOVE * relocations.length];
  };
  /** Seeks homes in the groups; those who can leave only once others have wait for them. */
  const settle = (ends: readonly number[]): void => {
    const leaving = [...travellers.keys()].filter((t) => ends[t] !== travellers[t]!.from);
    const { relocations, waiting } = moveInTurns(
      leaving,
      (t) => findHome(cluster, travellers[t]!.instance, [ends[t]!]).relocation,
    );
    for (const t of waiting) refused.add(pair(t, ends[t]!));
    best.offer(relocations, meritOf(relocations));
  };
  const backToStart = (): void => {
    cluster.rollback(start);
    loads.refresh(loads.groups);
  };

  const start = cluster.mark();
  cluster.replay(begin);
  best.offer(begin, meritOf(begin));
  backToStart();
  const lastResort = Uint8Array.from(cluster.members, (_, group) => Number(cluster.isLastResort(group)));
  const isOpen = (t: number, group: number): boolean => !refused.has(pair(t, group));
  const walkGoal = { spread: goal, mostMoves, lastResort, mostLastResorts, isOpen };
  const walk = new GroupWalk(loads, travellers, walkGoal, new RandomStream(seed, 0));
  const from = budget.share;
  WALKS.forEach(({ isFromBest, ...heat }, k) => {
    const until = from + ((1 - from) * (k + 1)) / WALKS.length;
    const known = new Map(
      isFromBest ? best.found.map(({ instance, to }) => [instance, to.group] as const) : [],
    );
    const at = travellers.map((one) => known.get(one.instance) ?? one.from);
    const ends = walk.run(at, budget, until, heat);
    if (ends) settle(ends);
    backToStart();
    budget.look();
  });
  return best.found;
}

/**
 * Moves that spread the load as evenly, or more so, at the lowest price and with no more disk copied. The
 * state is left with them made. @param steps found already; the state is as before them
 */
export function spreadCheaper(options: DeepSpread, steps: readonly SpreadStep[]): readonly SpreadStep[] {
  const { cluster, loads } = options;
  loads.refresh(loads.groups);
  const goal = steps.at(-1)?.score ?? loads.score;
  const begin = steps.map(({ relocation }) => relocation);
  return search(options, begin, goal).map((relocation): SpreadStep => {
    cluster.replay([relocation]);
    loads.refresh([relocation.from.group, relocation.to.group]);
    return { relocation, score: loads.score };
  });
}
