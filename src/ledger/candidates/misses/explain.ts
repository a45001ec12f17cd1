/** Why a query has no candidate: what each step dropped, the nearest miss, single changes that would help. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { explanation } from '../../results/hcand.ts';
import type { Forest } from '../forest/forest.ts';
import type { Provider } from '../forest/provider.ts';
import type { CandidateRequest } from '../request/request.ts';
import { MOST_TRIALS, type Relaxation, SearchTooWide } from '../search/anchor-walk.ts';
import { type Candidate, mappingsOf } from '../search/candidate.ts';
import { findCandidates, type SearchOptions } from '../search/find-candidates.ts';
import { dropStep, rootAllows, type Slot, type Step, type StepRule, slotsOf } from '../search/slots.ts';
import { nearestMiss } from './nearest-miss.ts';
import { singleChanges } from './single-changes.ts';

export type Explanation = DocumentOf<typeof explanation>;

type SlotAccount = Explanation['slots'][number];

type RuleBetweenGroups = Explanation['blocking'][number];

const RULES: readonly (readonly [RuleBetweenGroups, Relaxation])[] = [
  ['room together', { room: true }],
  ['traits together', { traits: true }],
  ['same_subtree', { subtree: true }],
  ['group policy', { policy: true }],
];

function* everyProvider(forest: Forest): Generator<Provider> {
  for (const root of forest.roots) yield* forest.treeOf(root);
}

function accountOf(forest: Forest, slot: Slot, rule: StepRule): SlotAccount {
  const dropped: Record<Step, number> = { class: 0, room: 0, trait: 0, aggregate: 0, tree: 0 };
  let providers = 0;
  let left = 0;
  for (const provider of everyProvider(forest)) {
    providers++;
    const step = dropStep(provider, provider.root, slot, rule);
    if (step) dropped[step]++;
    else left++;
  }
  return {
    suffix: slot.group.suffix,
    classes: slot.amounts.map(([resourceClass]) => resourceClass),
    providers,
    dropped,
    left,
    nearest: left === 0 ? nearestMiss(everyProvider(forest), slot, rule) : undefined,
  };
}

/** The first candidate; undefined when there is none, or when the work is used up before. */
function firstOf(
  forest: Forest,
  request: CandidateRequest,
  options: SearchOptions,
): { candidate: Candidate; slots: readonly Slot[] } | undefined {
  const { slots, candidates } = findCandidates(forest, { ...request, limit: 1 }, options);
  try {
    const { value, done } = candidates.next();
    candidates.return(undefined);
    return done ? undefined : { candidate: value, slots };
  } catch (error) {
    if (error instanceof SearchTooWide) return undefined;
    throw error;
  }
}

/** Whether every slot by itself finds a provider in the tree, or one that it shares. */
function hasAll(forest: Forest, root: Provider, slots: readonly Slot[], rule: StepRule): boolean {
  const reachable = [...forest.treeOf(root), ...forest.sharersWith(root)];
  return slots.every((slot) =>
    reachable.some((provider) => dropStep(provider, root, slot, rule) === undefined),
  );
}

/** Single changes that bring a candidate, each with the first one; of one amount the largest that helps. */
function helpfulChanges(
  forest: Forest,
  request: CandidateRequest,
  options: SearchOptions,
): Explanation['changes'] {
  const helpful: Explanation['changes'][number][] = [];
  const helpedAmounts = new Set<string>();
  for (const { request: changed, ...change } of singleChanges(request, forest)) {
    const amountKey = `${change.parameter} ${change.value.split(':')[0]}`;
    if (change.kind === 'at most' && helpedAmounts.has(amountKey)) continue;
    if (options.work!.trialsLeft < 0) break;
    const found = firstOf(forest, changed, options);
    if (!found) continue;
    helpedAmounts.add(amountKey);
    const mappings = [...mappingsOf(found.candidate, found.slots)];
    const example = Object.fromEntries(
      mappings.map(([suffix, list]) => [suffix, list.map(({ name }) => name)]),
    );
    helpful.push({ ...change, example });
  }
  return helpful;
}

/** Why there is no candidate. Pure; one search a rule and possible change, which share the work of one. */
export function explainNone(
  forest: Forest,
  request: CandidateRequest,
  options: SearchOptions = {},
): Explanation {
  const work = options.work ?? { trialsLeft: MOST_TRIALS };
  const shared = { ...options, work };
  const rule = options.stepRule ?? 'strict';
  const slots = slotsOf(request, forest);
  const allowed = forest.roots.filter((root) => rootAllows(root, request));
  const treesWithAll = allowed.filter((root) => hasAll(forest, root, slots, rule)).length;
  const blocking =
    treesWithAll === 0
      ? []
      : RULES.filter(([, relaxed]) => firstOf(forest, request, { ...shared, relaxed })).map(([rule]) => rule);
  const changes = helpfulChanges(forest, request, shared);
  return {
    roots: { all: forest.roots.length, allowed: allowed.length },
    slots: slots.map((slot) => accountOf(forest, slot, rule)),
    treesWithAll,
    blocking,
    ...(work.trialsLeft < 0 ? { isCutOff: true } : {}),
    changes,
  };
}
