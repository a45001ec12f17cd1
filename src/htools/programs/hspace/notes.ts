/** What hspace says on standard error ahead of its allocations when it is to say more. */
import { commonDomain } from '../../cluster/names.ts';
import { coefficientsOf } from '../../explain/state/coefficients.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { wholeScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { listings } from '../shared/listings/listings.ts';
import { initialCoefficients, strippedSuffix } from '../shared/steps/steps.ts';
import type { Ground } from './ground.ts';
import * as T from './text.ts';

/** Verbosity from which on each kind of detail is said. */
const SUFFIX = 2;
const METRICS = 3;
const NODES = 4;

/** What is said before the cluster's figures. */
export function startNotes(options: ProgramOptions<'hspace'>, state: ClusterState): string {
  const { snapshot } = state;
  const { verbosity } = options;
  const suffix = commonDomain([...snapshot.nodes, ...snapshot.instances].map((item) => item.name));
  const scope = wholeScope(snapshot);
  const scorer = new Scorer(state, scope.nodes);
  return [
    suffix !== '' && verbosity >= SUFFIX ? strippedSuffix(suffix) : '',
    listings({ ...options, printInstances: false }, state, scope, '', 'Initial cluster'),
    verbosity >= METRICS ? initialCoefficients(scorer.score, coefficientsOf(scorer)) : '',
  ].join('');
}

/** What is said about the nodes that may be used. */
export function groundNotes({ verbosity }: ProgramOptions<'hspace'>, ground: Ground): string {
  if (verbosity < NODES) return '';
  const { nodes, groups } = ground.snapshot;
  const bad = ground.badNodes.map((n) => nodes[n]!.name);
  const badGroups = ground.badGroups().map((group) => groups[group]!.name);
  return [
    bad.length > 0 ? T.namesNote('Bad nodes', bad) : '',
    badGroups.length > 0 ? T.namesNote('Bad groups', badGroups) : '',
    T.allocatableNote(ground.targets(ground.snapshot), ground.snapshot),
  ].join('');
}
