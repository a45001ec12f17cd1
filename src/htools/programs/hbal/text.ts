/**
 * What hbal says while it works: stock's lines at each verbosity. The lines themselves stand in steps.ts;
 * here is which of them are said, and in what order.
 */
import { commonDomain } from '../../cluster/names.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { coefficientsOf } from '../../explain/state/coefficients.ts';
import type { GroupHealth } from '../../explain/state/group-health.ts';
import type { Scorer } from '../../model/score/scorer.ts';
import * as F from '../../model/state/node-fields.ts';
import { type Scope, splitInstances } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { policyLine } from '../shared/listings/policy-text.ts';
import * as S from '../shared/steps/steps.ts';

/** Verbosity from which on each kind of detail is said. */
const CHECKS = 1;
const TAGS = 2;
const COEFFICIENTS = 3;
const RESOURCES = 4;
const NODE_HEALTH = 5;

/** Tags and policy, ahead of everything. */
export const loadedText = (snapshot: Snapshot, verbosity: number): string =>
  verbosity >= TAGS ? S.loadedTags(snapshot.tags) + policyLine(snapshot.policy) : '';

/** Names of split instances, for standard error. */
export function splitText(snapshot: Snapshot, verbosity: number): string {
  const names = splitInstances(snapshot).map((i) => snapshot.instances[i]!.name);
  return names.length > 0 && verbosity >= TAGS ? S.splitInstances(names) : '';
}

/** Size of the cluster, or that there is nothing to do. */
export function clusterText(snapshot: Snapshot, verbosity: number): string {
  const { nodes, instances } = snapshot;
  const suffix = commonDomain([...nodes, ...instances].map((item) => item.name));
  return (
    S.loadedCounts(nodes.length, instances.length) +
    (suffix !== '' && verbosity >= TAGS ? S.strippedSuffix(suffix) : '')
  );
}

/** The group chosen and its state. */
export function groupText(
  name: string,
  scope: Scope,
  health: GroupHealth,
  ignoreSoftErrors: boolean,
  verbosity: number,
): string {
  const { badNodes, badInstances, others } = health;
  const violating = others.filter((node) => node.broken !== undefined).length;
  return [
    S.selectedGroup(name, scope.nodes.length, scope.instances.length),
    verbosity >= CHECKS ? S.initialCheck(badNodes.length, badInstances) : '',
    verbosity >= NODE_HEALTH ? S.nodeHealth(badNodes, others) : '',
    badNodes.length > 0 ? S.notNPlusOneHappy() : '',
    violating > 0 ? S.policyViolations(violating, ignoreSoftErrors) : '',
  ].join('');
}

/** The score, or at high verbosity all its parts. */
export const scoreText = (scorer: Scorer, verbosity: number): string =>
  verbosity >= COEFFICIENTS
    ? S.initialCoefficients(scorer.score, coefficientsOf(scorer))
    : S.initialScore(scorer.score);

/** How the search ended. */
export function endText(initialScore: number, scorer: Scorer, steps: number, verbosity: number): string {
  const length = verbosity >= CHECKS ? S.solutionLength(steps) : '';
  if (steps === 0) return S.noSolution() + length;
  return (
    (verbosity >= COEFFICIENTS
      ? S.finalCoefficients(scorer.score, coefficientsOf(scorer))
      : S.improvedScore(initialScore, scorer.score)) + length
  );
}

/** Free memory and disk of the group now, MiB. */
export function freeOf(state: ClusterState, nodes: readonly number[]): S.FreeResources {
  let memMib = 0;
  let diskMib = 0;
  for (const n of nodes) {
    memMib += state.nodeFields[n * F.NODE_STRIDE + F.FREE_MEM]!;
    diskMib += state.nodeFields[n * F.NODE_STRIDE + F.FREE_DISK]!;
  }
  return { memMib, diskMib };
}

/** Free resources before and after, at high verbosity. */
export const resourcesText = (before: S.FreeResources, after: S.FreeResources, verbosity: number): string =>
  verbosity >= RESOURCES ? S.freeResources(before, after) : '';
