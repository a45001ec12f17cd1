/** What hspace says on standard error ahead of its allocations when it is to say more. */
import { showInt, showList, showString } from '../../../kit/text/numbers.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { coefficientsOf } from '../../explain/state/state-facts.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { wholeScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { AllocNodes } from '../../planners/allocate/solution.ts';
import { listings } from '../shared/listings/listings.ts';
import { initialCoefficients, strippedSuffix } from '../shared/steps/said.ts';
import type { Ground } from './ground.ts';

/** Verbosity from which on each kind of detail is said. */
const SUFFIX = 2;
const METRICS = 3;
const NODES = 4;

export function startNotes(options: ProgramOptions<'hspace'>, state: ClusterState): string {
  const { snapshot } = state;
  const { verbosity } = options;
  const scope = wholeScope(snapshot);
  const scorer = new Scorer(state, scope.nodes);
  return [
    verbosity >= SUFFIX ? strippedSuffix(snapshot) : '',
    listings(options, state, scope, 'Initial cluster'),
    verbosity >= METRICS ? initialCoefficients(scorer.score, coefficientsOf(scorer)) : '',
  ].join('');
}

const namesNote = (what: string, names: readonly string[]): string =>
  `${what}: ${showList(names.map(showString))}\n`;

/** Which nodes may be used, by their indices, for standard error. */
function allocatableNote(targets: AllocNodes, { nodes }: Snapshot): string {
  const index = (n: number): string => showInt(nodes[n]!.index);
  const shown =
    targets.kind === 'singles'
      ? `Left ${showList(targets.nodes.map(index))}`
      : `Right ${showList(
          targets.pairs.map(
            ({ primary, secondaries }) => `(${index(primary)},${showList(secondaries.map(index))})`,
          ),
        )}`;
  return `Allocatable nodes: ${shown}\n`;
}

export function groundNotes({ verbosity }: ProgramOptions<'hspace'>, ground: Ground): string {
  if (verbosity < NODES) return '';
  const { nodes, groups } = ground.snapshot;
  const bad = ground.badNodes.map((n) => nodes[n]!.name);
  const badGroups = ground.badGroups().map((group) => groups[group]!.name);
  return [
    bad.length > 0 ? namesNote('Bad nodes', bad) : '',
    badGroups.length > 0 ? namesNote('Bad groups', badGroups) : '',
    allocatableNote(ground.targets(ground.snapshot), ground.snapshot),
  ].join('');
}
