/** Why a query has no candidate: what each step dropped, the nearest miss, single changes that would help. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import { brokenUnitRule, type StepMode } from '../../claims/model/inventory.ts';
import type { explanation, nearest } from '../../results/hcand.ts';
import type { Forest } from '../forest/forest.ts';
import type { Provider } from '../forest/provider.ts';
import type { CandidateRequest } from '../request/request.ts';
import { MOST_TRIALS, type Relaxation, SearchTooWide } from '../search/anchor-walk.ts';
import { findCandidates, type SearchOptions } from '../search/find-candidates.ts';
import {
  type Candidate,
  dropStep,
  mappedNames,
  rootAllows,
  type Slot,
  STEPS,
  type Step,
  slotsOf,
} from '../search/slots.ts';
import { singleChanges } from './single-changes.ts';

export type NearestMiss = DocumentOf<typeof nearest>;

function amountLack(provider: Provider, { amounts }: Slot, mode: StepMode): NearestMiss['lacks'] | undefined {
  for (const [name, asked] of amounts) {
    const room = provider.rooms.get(name)!;
    const { capacity, used } = room;
    const broken =
      used + asked > capacity
        ? ({ rule: 'capacity', limit: Math.max(0, capacity - used) } as const)
        : brokenUnitRule(room, asked, mode);
    if (broken) return { kind: 'amount', class: name, asked, ...broken, capacity, used };
  }
  return undefined;
}

function lackOf(
  provider: Provider,
  slot: Slot,
  step: NearestMiss['step'],
  mode: StepMode,
): NearestMiss['lacks'] {
  const { required, forbidden } = slot.group;
  switch (step) {
    case 'room':
      return amountLack(provider, slot, mode)!;
    case 'trait':
      return {
        kind: 'traits',
        missing: slot.isSuffixed
          ? required
              .filter((anyOf) => !anyOf.some((trait) => provider.traits.has(trait)))
              .map((anyOf) => anyOf.join(' or '))
          : [],
        forbidden: forbidden.filter((trait) => provider.traits.has(trait)),
      };
    case 'aggregate':
      return { kind: 'aggregates' };
    case 'tree':
      return { kind: 'tree' };
  }
}

/** How far from fitting, among providers that fall out at the same step. */
function distance(lacks: NearestMiss['lacks']): number {
  if (lacks.kind === 'amount') return Math.abs(lacks.asked - lacks.limit);
  if (lacks.kind === 'traits') return lacks.missing.length + lacks.forbidden.length;
  return 0;
}

/** Of providers with all classes that may not serve the slot: who got furthest, lacks least, then by name. */
function nearestMiss(providers: Iterable<Provider>, slot: Slot, mode: StepMode): NearestMiss | undefined {
  let best: NearestMiss | undefined;
  for (const provider of providers) {
    const step = dropStep(provider, provider.root, slot, mode);
    if (!step || step === 'class') continue;
    const lacks = lackOf(provider, slot, step, mode);
    const rank = STEPS.indexOf(step) - (best ? STEPS.indexOf(best.step) : -1);
    if (!best || rank > 0 || (rank === 0 && distance(lacks) < distance(best.lacks)))
      best = { provider: provider.name, step, lacks };
  }
  return best;
}

export type Explanation = DocumentOf<typeof explanation>;

type SlotAccount = Explanation['slots'][number];

type RuleBetweenGroups = Explanation['blocking'][number];

const RULES: readonly (readonly [RuleBetweenGroups, Relaxation])[] = [
  ['room together', { room: true }],
  ['traits together', { traits: true }],
  ['same_subtree', { subtree: true }],
  ['group policy', { policy: true }],
];

/** Why there is no candidate. Pure; one search a rule and possible change, which share the work of one. */
export function explainNone(
  forest: Forest,
  request: CandidateRequest,
  options: SearchOptions = {},
): Explanation {
  const { work = { trialsLeft: MOST_TRIALS }, stepMode = 'strict' } = options;
  const slots = slotsOf(request, forest);
  const allowed = forest.roots.filter((root) => rootAllows(root, request));
  const treesWithAll = allowed.filter(hasAll).length;
  const stands = ([, relaxed]: (typeof RULES)[number]) => firstOf(request, { relaxed }) !== undefined;
  const blocking = treesWithAll === 0 ? [] : RULES.filter(stands).map(([rule]) => rule);
  const changes = helpfulChanges();
  return {
    roots: { all: forest.roots.length, allowed: allowed.length },
    slots: slots.map(accountOf),
    treesWithAll,
    blocking,
    ...(work.trialsLeft < 0 ? { isCutOff: true } : {}),
    changes,
  };

  function* everyProvider(): Generator<Provider> {
    for (const root of forest.roots) yield* forest.treeOf(root);
  }

  function accountOf(slot: Slot): SlotAccount {
    const dropped: Record<Step, number> = { class: 0, room: 0, trait: 0, aggregate: 0, tree: 0 };
    let providers = 0;
    let left = 0;
    for (const provider of everyProvider()) {
      providers++;
      const step = dropStep(provider, provider.root, slot, stepMode);
      if (step) dropped[step]++;
      else left++;
    }
    return {
      suffix: slot.group.suffix,
      classes: slot.amounts.map(([resourceClass]) => resourceClass),
      providers,
      dropped,
      left,
      nearest: left === 0 ? nearestMiss(everyProvider(), slot, stepMode) : undefined,
    };
  }

  /** The first candidate; undefined when there is none, or when the work is used up before. */
  function firstOf(
    asked: CandidateRequest,
    more: Pick<SearchOptions, 'relaxed'> = {},
  ): { candidate: Candidate; slots: readonly Slot[] } | undefined {
    const found = findCandidates(forest, { ...asked, limit: 1 }, { ...options, work, ...more });
    try {
      const { value, done } = found.candidates.next();
      found.candidates.return(undefined);
      return done ? undefined : { candidate: value, slots: found.slots };
    } catch (error) {
      if (error instanceof SearchTooWide) return undefined;
      throw error;
    }
  }

  /** Whether every slot by itself finds a provider in the tree, or one that it shares. */
  function hasAll(root: Provider): boolean {
    const reachable = [...forest.treeOf(root), ...forest.sharersWith(root)];
    return slots.every((slot) =>
      reachable.some((provider) => dropStep(provider, root, slot, stepMode) === undefined),
    );
  }

  /** Single changes that bring a candidate, each with the first one. */
  function helpfulChanges(): Explanation['changes'] {
    const helpful: Explanation['changes'][number][] = [];
    for (const alternatives of singleChanges(request, forest, stepMode))
      for (const { request: changed, ...change } of alternatives) {
        if (work.trialsLeft < 0) return helpful;
        const found = firstOf(changed);
        if (!found) continue;
        helpful.push({ ...change, example: mappedNames(found.candidate, found.slots) });
        break;
      }
    return helpful;
  }
}
