/** The provider that came closest to serving a slot, and what it lacks. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { nearest } from '../../results/hcand.ts';
import type { Provider } from '../forest/provider.ts';
import { dropStep, type Slot, STEPS, type Step, type StepRule, stepAllows } from '../search/slots.ts';

export type NearestMiss = DocumentOf<typeof nearest>;

function amountLack(provider: Provider, { amounts }: Slot, mode: StepRule): NearestMiss['lacks'] | undefined {
  for (const [name, asked] of amounts) {
    const room = provider.rooms.get(name);
    if (!room) continue;
    const { capacity, used, minUnit, maxUnit, stepSize } = room;
    const rules = [
      { rule: 'capacity', limit: Math.max(0, capacity - used), isKept: used + asked <= capacity },
      { rule: 'max_unit', limit: maxUnit, isKept: asked <= maxUnit },
      { rule: 'min_unit', limit: minUnit, isKept: asked >= minUnit },
      { rule: 'step_size', limit: stepSize, isKept: stepAllows(asked, room, mode) },
    ] as const;
    const broken = rules.find(({ isKept }) => !isKept);
    if (broken) {
      const { rule, limit } = broken;
      return { kind: 'amount', class: name, asked, rule, limit, capacity, used };
    }
  }
  return undefined;
}

function lackOf(provider: Provider, slot: Slot, step: Step, rule: StepRule): NearestMiss['lacks'] {
  const { required, forbidden } = slot.group;
  switch (step) {
    case 'class':
      return { kind: 'class', class: slot.amounts.find(([name]) => !provider.rooms.has(name))![0] };
    case 'room':
      return amountLack(provider, slot, rule)!;
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

/** Of providers that may not serve the slot: who got furthest, then lacks least, then by name. */
export function nearestMiss(
  providers: Iterable<Provider>,
  slot: Slot,
  rule: StepRule,
): NearestMiss | undefined {
  let best: NearestMiss | undefined;
  for (const provider of providers) {
    const step = dropStep(provider, provider.root, slot, rule);
    if (!step || step === 'class') continue;
    const lacks = lackOf(provider, slot, step, rule);
    const rank = STEPS.indexOf(step) - (best ? STEPS.indexOf(best.step) : -1);
    if (!best || rank > 0 || (rank === 0 && distance(lacks) < distance(best.lacks)))
      best = { provider: provider.name, step, lacks };
  }
  return best;
}
