/** One cluster: what the planners say about it against what trying everything shows. */
import { prepareSnapshot } from '../../../../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { checkPlan } from '../../../../../src/htools/plan/checker/check.ts';
import { Budget } from '../../../../../src/htools/planners/anneal/budget.ts';
import {
  type GroupVerdict,
  isReclaimable,
  judgeGroups,
} from '../../../../../src/htools/planners/groups/empty/compress.ts';
import { filledBy, residentsOf } from '../../../../../src/htools/planners/groups/empty/emptying.ts';
import { findTogether } from '../../../../../src/htools/planners/groups/empty/together.ts';
import {
  type Redistribution,
  redistribute,
} from '../../../../../src/htools/planners/groups/heal/redistribute.ts';
import { type Survey, survey } from '../../../../../src/htools/planners/groups/heal/survey.ts';
import { capacityOf } from '../../../../../src/htools/planners/groups/homes/group-room.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import type { Relocation } from '../../../../../src/htools/planners/groups/relocate/relocation.ts';
import { planOf, snapshotAfter } from '../../../../../src/htools/planners/groups/relocate/relocation-plan.ts';
import { GroupLoads } from '../../../../../src/htools/planners/groups/spread/group-load.ts';
import { Spreading } from '../../../../../src/htools/planners/groups/spread/spread.ts';
import { parseText } from '../../../../../src/htools/sources/text/text.ts';
import { formatText } from '../../../../../src/htools/sources/text/text-writer.ts';
import { isPossible, type Question } from './exhaustive.ts';

/** Instances that may move in a question that is tried out. */
const MOST_MOVES = 3;
/** Candidates of a deep search. */
const CANDIDATES = 800;
/** Places that are tried for one question. */
const BUDGET = 40_000;

export interface Comparison {
  /** What is wrong, in words. */
  readonly faults: readonly string[];
  /** Questions that were answered, and those that had too many ways. */
  readonly asked: number;
  readonly skipped: number;
  /**
   * Plans of the deep search that were held against all cheaper ones, those of which one heals as well, and
   * all that copy less than greedy's.
   */
  readonly priced: number;
  readonly dearer: number;
  readonly cheaper: number;
}

class Comparer {
  readonly faults: string[] = [];
  asked = 0;
  skipped = 0;
  priced = 0;
  dearer = 0;
  cheaper = 0;
  private readonly snapshot: Snapshot;
  private readonly cluster: SuperCluster;
  private readonly healthy: readonly number[];

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.cluster = new SuperCluster(snapshot);
    this.healthy = [...this.cluster.healthyGroups()];
  }

  private ask(question: Omit<Question, 'snapshot'>): boolean | undefined {
    const answer = isPossible({ snapshot: this.snapshot, ...question }, BUDGET);
    if (answer === 'too-many') {
      this.skipped++;
      return undefined;
    }
    this.asked++;
    return answer === 'yes';
  }

  /** A plan must hold against the checker, and keep its promises in the state that is saved after it. */
  private expectSound(
    what: string,
    relocations: readonly Relocation[],
    emptiedNodes: readonly number[],
    healthy: readonly number[],
    emptyGroups: readonly number[] = [],
  ): void {
    const healthyGroups = healthy.filter((group) => !emptyGroups.includes(group));
    const plan = planOf(this.snapshot, relocations, {
      diskMoves: true,
      emptiedNodes,
      healthyGroups,
      emptyGroups,
    });
    for (const { rule, message } of checkPlan(plan))
      this.faults.push(`${what}: invalid: ${rule}: ${message}`);
    const moved = relocations.map(({ instance }) => instance);
    if (new Set(moved).size !== moved.length) this.faults.push(`${what}: an instance moves twice`);
    const saved = snapshotAfter(this.snapshot, relocations);
    const again = prepareSnapshot(parseText(formatText(saved), 'saved'), {
      staticKvmNodeMemoryMib: 0,
    }).snapshot;
    const final = new SuperCluster(again);
    for (const group of healthyGroups) {
      const { state } = final.healthOf(group);
      if (state !== 'healthy') this.faults.push(`${what}: group ${group} is ${state} in the saved state`);
    }
  }

  private emptiable(groups: readonly number[]): boolean | undefined {
    const residents = [...new Set(groups.flatMap((group) => residentsOf(this.cluster, group)))];
    if (residents.length > MOST_MOVES) return undefined;
    return this.ask({
      must: residents,
      may: [],
      most: residents.length,
      targets: this.healthy.filter((other) => !groups.includes(other)),
      staysInGroup: false,
      emptiedNodes: groups.flatMap((group) => this.cluster.members[group]!),
      healthyGroups: this.healthy.filter((other) => !groups.includes(other)),
    });
  }

  compress(): void {
    const verdicts = judgeGroups(this.cluster);
    for (const verdict of verdicts) this.judge(verdict);
    this.together(verdicts);
  }

  private judge(verdict: GroupVerdict): void {
    const { group, outcome } = verdict;
    const what = `emptying group ${group}`;
    if (isReclaimable(verdict)) {
      const { relocations } = verdict.outcome;
      this.expectSound(what, relocations, this.cluster.members[group]!, this.healthy, [group]);
      return;
    }
    if (outcome === 'empty') return;
    const truth = this.emptiable([group]);
    if (truth === true) {
      const proven = typeof outcome === 'string' || (!outcome.isPossible && outcome.isProven);
      this.faults.push(`${what}: ${proven ? 'a false proof' : 'not found'}, though there is a way`);
    }
    if (typeof outcome === 'object' && !outcome.isPossible) this.reasons(group, outcome);
  }

  /** A reason that holds as things stand must hold for the instance alone. */
  private reasons(from: number, { stranded }: Extract<GroupVerdict['outcome'], { isPossible: false }>): void {
    const { instances, groups } = this.cluster.snapshot;
    for (const { instance: name, reason, refusals, isAfterOthers } of stranded) {
      const instance = instances.findIndex((one) => one.name === name);
      for (const { group: groupName, rule, needed, available } of refusals) {
        if (needed !== undefined && available !== undefined && needed <= available)
          this.faults.push(
            `group ${from}, instance ${instance}: ${rule}: ${needed} needed, at most ${available}`,
          );
        const group = groups.findIndex((one) => one.name === groupName);
        if (
          isAfterOthers ||
          reason !== null ||
          rule === 'others' ||
          rule === 'unhealthy' ||
          rule === 'emptied'
        )
          continue;
        const truth = this.ask({
          must: [instance],
          may: [],
          most: 1,
          targets: [group],
          staysInGroup: false,
          emptiedNodes: this.cluster.members[from]!,
          healthyGroups: [group],
        });
        if (truth === true)
          this.faults.push(`instance ${instance}: group ${group} takes it, and is said not to: ${rule}`);
      }
    }
  }

  private together(verdicts: readonly GroupVerdict[]): void {
    const { groups, relocations, isLargest } = findTogether(this.cluster, verdicts);
    const nodes = groups.flatMap((group) => this.cluster.members[group]!);
    this.expectSound('groups together', relocations, nodes, this.healthy, groups);
    const empty = verdicts.filter(({ outcome }) => outcome === 'empty').map(({ group }) => group);
    const size = groups.length + empty.length - filledBy(empty, relocations).length;
    for (const set of subsets(this.cluster.groups)) {
      if (set.length <= size) continue;
      if (this.emptiable(set) === true)
        this.faults.push(
          `groups ${set.join(', ')} go together, ${size} were found${isLargest ? ', a false proof' : ''}`,
        );
    }
  }

  heal(): void {
    const found = survey(this.cluster);
    const greedy = redistribute(this.cluster, found);
    this.judgeHealing('healing', found, greedy);
    const budget = new Budget({ candidates: CANDIDATES, clock: () => 0 });
    const deep = redistribute(this.cluster, found, () => {}, { seed: 1, budget });
    this.judgeHealing('healing deeply', found, deep);
    const [before, after] = [this.healedBy(greedy), this.healedBy(deep)];
    if (before.some((group) => !after.includes(group))) this.faults.push('healing deeply heals less');
    const [priceBefore, priceAfter] = [greedy, deep].map(({ relocations }) =>
      this.cluster.priceOf(relocations),
    ) as [number, number];
    const saved = priceBefore - priceAfter;
    if (before.length === after.length && saved < 0) this.faults.push('healing deeply costs more');
    if (before.length === after.length && saved > 0) this.cheaper++;
    if (found.sick.length === 1 && after.length === 1) this.askCheaper(found, this.copiedBy(deep));
  }

  private healedBy({ healings }: Redistribution): number[] {
    return healings.filter(({ isHealed }) => isHealed).map(({ group }) => group);
  }

  private copiedBy({ relocations }: Redistribution): number {
    return this.cluster.copiedMib(relocations);
  }

  /** What healing one group within itself and out of it is about; undefined where too many have to move. */
  private healingQuestion(found: Survey, group: number): Omit<Question, 'snapshot'> | undefined {
    const { state, members } = this.cluster;
    const { deadNodes } = this.cluster.healthOf(group);
    const must = [...new Set(deadNodes.flatMap((n) => [...state.primaries[n]!, ...state.secondaries[n]!]))];
    if (must.length > MOST_MOVES) return undefined;
    const all = members[group]!.flatMap((n) => [...state.primaries[n]!, ...state.secondaries[n]!]);
    const may = [...new Set(all)].filter((i) => {
      const { isMovable, isAutoBalanced } = this.snapshot.instances[i]!;
      return !must.includes(i) && isMovable && isAutoBalanced;
    });
    return {
      must,
      may,
      most: MOST_MOVES,
      targets: found.isForbidden ? [] : found.healthy,
      staysInGroup: true,
      emptiedNodes: found.sick.flatMap((one) => one.deadNodes),
      healthyGroups: [...new Set([...found.healthy, group])],
    };
  }

  /** Whether the only sick group can be healed with less copying, by few moves. */
  private askCheaper(found: Survey, lessThanMib: number): void {
    const question = this.healingQuestion(found, found.sick[0]!.group);
    if (question === undefined || lessThanMib === 0) return;
    const truth = this.ask({ ...question, lessThanMib });
    if (truth === undefined) return;
    this.priced++;
    if (truth) this.dearer++;
  }

  private judgeHealing(what: string, found: Survey, result: Redistribution): void {
    const dead = found.sick.flatMap(({ deadNodes }) => deadNodes);
    const healed = this.healedBy(result);
    this.expectSound(what, result.relocations, dead, [...found.healthy, ...healed]);
    for (const { group, isHealed } of result.healings) {
      const question = isHealed ? undefined : this.healingQuestion(found, group);
      if (question && this.ask(question) === true && healed.length === 0)
        this.faults.push(`${what}: group ${group} can be healed and is not`);
    }
  }

  spread(diskMoves: boolean): void {
    const cluster = new SuperCluster(this.snapshot);
    const options = { diskMoves, maxSteps: -1, minScore: 1e-9, minGain: 0.01, minGainLimit: 0.1 };
    const spreading = new Spreading(cluster, options);
    const relocations: Relocation[] = [];
    let score = spreading.loads.score;
    for (const step of spreading.steps()) {
      if (!(step.score < score)) this.faults.push('spreading: a step that gains nothing');
      score = step.score;
      relocations.push(step.relocation);
    }
    this.expectSound('spreading', relocations, [], this.healthy);
    const saved = new SuperCluster(snapshotAfter(this.snapshot, relocations));
    const loads = new GroupLoads(saved);
    const far = (a: number, b: number): boolean => Math.abs(a - b) > 1e-9 * Math.max(1, Math.abs(b));
    if (far(score, loads.score)) this.faults.push(`spreading: spread ${score}, saved ${loads.score}`);
    for (const group of loads.groups) {
      const [now, then] = [spreading.loads.of(group), loads.of(group)];
      if (now.some((load, r) => far(load, then[r]!)))
        this.faults.push(`spreading: load of group ${group} is ${now.join(' ')}, saved ${then.join(' ')}`);
      const room = capacityOf(cluster.state, cluster.members[group]!).free;
      const after = capacityOf(saved.state, saved.members[group]!).free;
      if (far(room.memMib, after.memMib) || far(room.diskMib, after.diskMib) || far(room.vcpus, after.vcpus))
        this.faults.push(`spreading: what is free in group ${group} is not what the saved state has free`);
    }
  }
}

/** All sets of some of the groups. */
const subsets = (groups: readonly number[]): number[][] =>
  Array.from({ length: 2 ** groups.length }, (_, bits) => groups.filter((_group, k) => bits & (1 << k)));

/** @param text the cluster in the form that the programs read */
export function compareWithTruth(text: string, name: string): Comparison {
  const { snapshot } = prepareSnapshot(parseText(text, name), { staticKvmNodeMemoryMib: 0 });
  const comparer = new Comparer(snapshot);
  comparer.compress();
  comparer.heal();
  comparer.spread(true);
  comparer.spread(false);
  return comparer;
}
