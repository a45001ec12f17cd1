/**
 * All ways to fill the slots with providers of one anchor, depth first in the order of the answer: a limit
 * ends the walk, and nothing is sorted. A branch is cut as soon as an open slot has no provider left.
 */
import { brokenUnitRule, type StepMode } from '../../claims/model/inventory.ts';
import type { Provider } from '../forest/provider.ts';
import type { CandidateRequest } from '../request/request.ts';
import type { Slot } from './slots.ts';

/** The search has been cut off; there may be more candidates than were found. */
export class SearchTooWide extends Error {}

/** Candidates of a query without a limit, and trials of a provider for a slot of any (about a second). */
export const MOST_CANDIDATES = 250_000;
export const MOST_TRIALS = 20_000_000;

/** What is left of the work; several searches for one answer share it. */
export interface Work {
  trialsLeft: number;
}

/** How much a search may do: for six of a host's 64 devices there are 68 billion candidates. */
export class Budget {
  found = 0;

  constructor(
    private readonly mostCandidates: number,
    private readonly work: Work,
  ) {}

  /** @throws {SearchTooWide} */
  spend(trials: number, anchor: Provider): void {
    this.work.trialsLeft -= trials;
    if (this.work.trialsLeft < 0 || this.found > this.mostCandidates)
      throw new SearchTooWide(
        `the search was cut off in the tree of ${anchor.name} after ${this.found} candidates`,
      );
  }
}

/** Rules between slots that the explanation switches off one by one. */
export interface Relaxation {
  readonly room?: boolean;
  readonly subtree?: boolean;
  readonly policy?: boolean;
  readonly traits?: boolean;
}

export interface WalkRules {
  readonly request: CandidateRequest;
  readonly slots: readonly Slot[];
  readonly stepMode: StepMode;
  /** Providers of one tree may serve one candidate together (microversion 1.29). */
  readonly isNested: boolean;
  readonly relaxed: Relaxation;
}

export class AnchorWalk {
  private readonly chosen: Provider[] = [];
  private readonly domainSets: (ReadonlySet<Provider> | undefined)[] = [];
  private trials = 0;

  /** @param domains for each slot the providers that may serve it by themselves, by name */
  constructor(
    private readonly anchor: Provider,
    private readonly domains: readonly (readonly Provider[])[],
    private readonly rules: WalkRules,
    private readonly budget: Budget,
  ) {}

  /** Yields the same array each time, providers by slot: copy what you keep. Leaves the rooms as before. */
  *fillings(): Generator<readonly Provider[]> {
    try {
      yield* this.fill(0);
    } finally {
      while (this.chosen.length > 0) this.takeBack();
    }
  }

  private *fill(depth: number): Generator<readonly Provider[]> {
    const slot = this.rules.slots[depth];
    if (!slot) {
      if (this.isWhole()) yield this.chosen;
      return;
    }
    for (const provider of this.domains[depth]!) {
      if (!this.fits(slot, provider)) continue;
      this.take(slot, provider);
      if (this.restCanFollow(depth + 1)) yield* this.fill(depth + 1);
      this.takeBack();
      this.budget.spend(this.trials, this.anchor);
      this.trials = 0;
    }
  }

  private take(slot: Slot, provider: Provider): void {
    this.chosen.push(provider);
    for (const [resourceClass, amount] of slot.amounts) provider.rooms.get(resourceClass)!.pending += amount;
  }

  private takeBack(): void {
    const slot = this.rules.slots[this.chosen.length - 1]!;
    const provider = this.chosen.pop()!;
    for (const [resourceClass, amount] of slot.amounts) provider.rooms.get(resourceClass)!.pending -= amount;
  }

  /** Whether every open slot has a provider left. */
  private restCanFollow(depth: number): boolean {
    const { slots } = this.rules;
    for (let open = depth; open < slots.length; open++)
      if (!this.domains[open]!.some((provider) => this.fits(slots[open]!, provider))) return false;
    return this.traitsCanBeCovered(depth);
  }

  private fits(slot: Slot, provider: Provider): boolean {
    this.trials++;
    const { relaxed } = this.rules;
    return (
      (relaxed.room || this.hasRoom(slot, provider)) &&
      (relaxed.policy || this.keepsApart(slot, provider)) &&
      (relaxed.subtree || this.staysInSubtree(slot, provider))
    );
  }

  private hasRoom({ amounts }: Slot, provider: Provider): boolean {
    for (const [resourceClass, amount] of amounts) {
      const room = provider.rooms.get(resourceClass)!;
      const taken = room.pending + amount;
      if (taken > room.maxUnit || room.used + taken > room.capacity) return false;
    }
    return true;
  }

  private keepsApart(slot: Slot, provider: Provider): boolean {
    const { slots, request } = this.rules;
    const { groupPolicy, isolate } = request;
    if (groupPolicy === 'none' && isolate.length === 0) return true;
    for (let k = 0; k < this.chosen.length; k++) {
      if (this.chosen[k] !== provider) continue;
      const other = slots[k]!;
      if (other.group === slot.group) continue;
      if (groupPolicy === 'isolate' && slot.isSuffixed && other.isSuffixed) return false;
      if (isolate.includes(slot.group.suffix) || isolate.includes(other.group.suffix)) return false;
    }
    return true;
  }

  private staysInSubtree(slot: Slot, provider: Provider): boolean {
    const { slots, request } = this.rules;
    for (const suffixes of request.sameSubtree) {
      if (!suffixes.includes(slot.group.suffix)) continue;
      const together = [provider];
      const open: ReadonlySet<Provider>[] = [];
      for (const other of slots) {
        if (other === slot || !suffixes.includes(other.group.suffix)) continue;
        if (other.index < this.chosen.length) together.push(this.chosen[other.index]!);
        else open.push(this.domainSet(other.index));
      }
      if (!canShareSubtree(together, open)) return false;
    }
    return true;
  }

  private domainSet(index: number): ReadonlySet<Provider> {
    this.domainSets[index] ??= new Set(this.domains[index]);
    return this.domainSets[index];
  }

  /** The required traits of the unsuffixed group are a matter of all its providers together. */
  private traitsCanBeCovered(depth: number): boolean {
    const { slots, relaxed } = this.rules;
    const first = slots[0]!;
    if (first.isSuffixed || first.group.required.length === 0 || relaxed.traits) return true;
    const has = ({ traits }: Provider, anyOf: readonly string[]): boolean =>
      anyOf.some((trait) => traits.has(trait));
    return first.group.required.every((anyOf) =>
      slots.some((slot, k) => {
        if (slot.isSuffixed) return false;
        if (k < depth) return has(this.chosen[k]!, anyOf);
        return this.domains[k]!.some((provider) => has(provider, anyOf));
      }),
    );
  }

  /** What can only be said of a whole candidate. */
  private isWhole(): boolean {
    const { slots, stepMode, isNested, relaxed } = this.rules;
    if (!isNested && !this.takesOneOfEachTree()) return false;
    if (stepMode === 'strict' || relaxed.room) return true;
    // Sums of steps are steps, but the smallest unit plus a step is none.
    return slots.every(({ amounts }, k) =>
      amounts.every(([resourceClass]) => {
        const room = this.chosen[k]!.rooms.get(resourceClass)!;
        return !brokenUnitRule(room, room.pending, stepMode);
      }),
    );
  }

  private takesOneOfEachTree(): boolean {
    const providers = new Set(this.chosen.filter((_, k) => this.rules.slots[k]!.amounts.length > 0));
    return new Set([...providers].map(({ root }) => root)).size === providers.size;
  }
}

/** The lowest provider above (or equal to) both; undefined when they stand in different trees. */
function lowestCommon(a: Provider, b: Provider): Provider | undefined {
  let depth = Math.min(a.path.length, b.path.length) - 1;
  while (depth >= 0 && a.path[depth] !== b.path[depth]) depth--;
  return a.path[depth];
}

/**
 * same_subtree: whether those chosen can still come under one of the group that stands above, or is, every
 * other. @param chosen at least one @param open what groups without a provider may still take
 */
function canShareSubtree(chosen: readonly Provider[], open: readonly ReadonlySet<Provider>[]): boolean {
  let top: Provider | undefined = chosen[0];
  for (let k = 1; k < chosen.length && top; k++) top = lowestCommon(top, chosen[k]!);
  if (!top) return false;
  if (chosen.includes(top)) return true;
  return open.some((options) => top.path.some((ancestor) => options.has(ancestor)));
}
