/** hroller's `--json` document. */

import { SCHEMA_VERSION } from '../../../kit/report/json.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { changedPlacements } from '../../planners/maintain/reboot/changed-placements.ts';
import type { RebootRounds } from '../../planners/maintain/reboot/reboot-rounds.ts';
import type { hrollerRounds } from '../../results/maintain.ts';

export const rebootJson = (
  snapshot: Snapshot,
  { colourings, proof, rounds }: RebootRounds,
): DocumentOf<typeof hrollerRounds> => ({
  schemaVersion: SCHEMA_VERSION,
  program: 'hroller',
  colourings: colourings.map(({ name, classes }) => ({ name, colours: classes.length })),
  ...(proof ? { fewest: proof } : {}),
  rounds: rounds.map(({ nodes, moves }) => ({
    nodes: nodes.map((n) => snapshot.nodes[n]!.name),
    moves: changedPlacements(snapshot, moves).map(({ instance, primary, secondary }) => ({
      instance: snapshot.instances[instance]!.name,
      primary: snapshot.nodes[primary]!.name,
      secondary: secondary >= 0 ? snapshot.nodes[secondary]!.name : null,
    })),
  })),
});
