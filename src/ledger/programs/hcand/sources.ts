/** Where the providers come from: a ledger, or a cluster seen as one. */
import type { Snapshot } from '../../../htools/cluster/snapshot.ts';
import {
  loadCluster,
  namesCluster,
  withHeadRoom,
} from '../../../htools/programs/shared/cluster/load-cluster.ts';
import { UsageError } from '../../../kit/faults.ts';
import { Forest } from '../../candidates/forest/forest.ts';
import { readRecords, recordsOfImage } from '../../candidates/records/read-records.ts';
import type { Vocabulary } from '../../candidates/request/request.ts';
import type { Ledger } from '../../claims/claim/ledger.ts';
import { imageOfSnapshot } from '../../claims/cluster/from-snapshot.ts';
import { STANDARD_CLASSES, STANDARD_TRAITS } from '../../claims/schema/standard-names.ts';
import { allNames } from '../../claims/tables/names.ts';
import type { ProgramOptions } from '../../options/program-table.ts';

export type Options = ProgramOptions<'hcand'>;

export interface Source {
  readonly forest: Forest;
  readonly vocabulary: Vocabulary;
  /** Present when the providers are those of a cluster. */
  readonly snapshot: Snapshot | undefined;
}

const vocabularyOf = (classes: Iterable<string>, traits: Iterable<string>): Vocabulary => {
  const classSet = new Set(classes);
  const traitSet = new Set(traits);
  return { hasClass: (name) => classSet.has(name), hasTrait: (name) => traitSet.has(name) };
};

/** @throws {UsageError} when both a ledger and a cluster are named */
export function wantsCluster(options: Options): boolean {
  const isCluster = namesCluster(options);
  if (isCluster && options.db !== undefined)
    throw new UsageError('a cluster and a ledger are named', 'name one of them');
  return isCluster;
}

export async function fromCluster(options: Options): Promise<Source> {
  const snapshot = withHeadRoom(await loadCluster({ ...options, verbosity: 1 }), options);
  const image = imageOfSnapshot(snapshot, { diskUnit: options.diskUnit, tenantTag: '' });
  const providers = [...image.providers.values()];
  return {
    snapshot,
    forest: new Forest(recordsOfImage(image)),
    vocabulary: vocabularyOf(
      [...STANDARD_CLASSES, ...providers.flatMap(({ inventories }) => [...inventories.keys()])],
      [...STANDARD_TRAITS, ...providers.flatMap(({ traits }) => traits)],
    ),
  };
}

export const fromLedger = (ledger: Ledger): Promise<Source> =>
  ledger.store.read(async (session) => ({
    snapshot: undefined,
    forest: new Forest(await readRecords(session, undefined)),
    vocabulary: vocabularyOf(await allNames(session, 'resource_classes'), await allNames(session, 'traits')),
  }));
