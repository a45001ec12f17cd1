/** What hbal says at each verbosity: which of the lines in steps.ts, and in what order. */
import { commonDomain } from '../../cluster/names.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { GroupHealth } from '../../explain/state/group-health.ts';
import { type Scope, splitInstances } from '../../model/state/scope.ts';
import { policyLine } from '../shared/listings/policy-text.ts';
import * as S from '../shared/steps/steps.ts';
import type { GroupPicture } from './group-task.ts';

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
export const scoreText = ({ score, metrics }: GroupPicture, verbosity: number): string =>
  verbosity >= COEFFICIENTS ? S.initialCoefficients(score, metrics) : S.initialScore(score);

/** How the search ended. */
export function endText(before: GroupPicture, after: GroupPicture, steps: number, verbosity: number): string {
  const length = verbosity >= CHECKS ? S.solutionLength(steps) : '';
  if (steps === 0) return S.noSolution() + length;
  return (
    (verbosity >= COEFFICIENTS
      ? S.finalCoefficients(after.score, after.metrics)
      : S.improvedScore(before.score, after.score)) + length
  );
}

/** Free resources before and after, at high verbosity. */
export const resourcesText = (before: GroupPicture, after: GroupPicture, verbosity: number): string =>
  verbosity >= RESOURCES ? S.freeResources(before.free, after.free) : '';
