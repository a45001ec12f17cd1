/** What is asked, and of whom: the query, and providers of a ledger or of a cluster seen as one. */
import type { Snapshot } from '../../../htools/cluster/snapshot.ts';
import {
  loadCluster,
  namesCluster,
  withHeadRoom,
} from '../../../htools/programs/shared/cluster/load-cluster.ts';
import { InputError, UsageError } from '../../../kit/faults.ts';
import { Forest } from '../../candidates/forest/forest.ts';
import { readRecords, recordsOfImage } from '../../candidates/records/read-records.ts';
import { readRequest } from '../../candidates/request/read-request.ts';
import { FULL_DIALECT } from '../../candidates/request/reading.ts';
import type { CandidateRequest, QueryPair, Vocabulary } from '../../candidates/request/request.ts';
import type { Ledger } from '../../claims/claim/ledger.ts';
import { imageOfSnapshot } from '../../claims/cluster/from-snapshot.ts';
import { STANDARD_CLASSES, STANDARD_TRAITS } from '../../claims/schema/standard-names.ts';
import { allNames } from '../../claims/tables/names.ts';
import { parseQueryString } from '../../http/query-string.ts';
import type { ProgramOptions } from '../../options/program-table.ts';

export type Options = ProgramOptions<'hcand'>;

export interface Source {
  readonly forest: Forest;
  readonly vocabulary: Vocabulary;
  /** Present when the providers are those of a cluster. */
  readonly snapshot: Snapshot | undefined;
}

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
    vocabulary: {
      classes: new Set([
        ...STANDARD_CLASSES,
        ...providers.flatMap(({ inventories }) => [...inventories.keys()]),
      ]),
      traits: new Set([...STANDARD_TRAITS, ...providers.flatMap(({ traits }) => traits)]),
    },
  };
}

export const fromLedger = (ledger: Ledger): Promise<Source> =>
  ledger.store.read(async (session) => ({
    snapshot: undefined,
    forest: new Forest(await readRecords(session, undefined)),
    vocabulary: {
      classes: new Set(await allNames(session, 'resource_classes')),
      traits: new Set(await allNames(session, 'traits')),
    },
  }));

/** The query: one string, parameters as arguments, options. @throws {UsageError}, {InputError} undecodable */
export function queryPairs(options: Options, words: readonly string[]): readonly QueryPair[] {
  const { pairs, unreadable } = parseQueryString(options.query ?? '');
  if (unreadable.length > 0)
    throw new InputError(
      '--query',
      unreadable.map((part) => ({
        value: part,
        problem: 'cannot be decoded',
        remedy: 'write a percent sign as %25',
      })),
    );
  const wrong = words.filter((word) => word.indexOf('=') < 1);
  if (wrong.length > 0)
    throw new UsageError(
      `'${wrong.join("', '")}' is not a parameter`,
      'write parameters as in resources=VCPU:2,MEMORY_MB:512',
    );
  const more = words.map((word): QueryPair => {
    const mark = word.indexOf('=');
    return [word.slice(0, mark), word.slice(mark + 1)];
  });
  const all = [...pairs, ...more];
  if (all.length === 0)
    throw new UsageError('there is no query', "ask for example: hcand --db FILE 'resources=VCPU:2'");
  return all;
}

/** @throws {InputError} with everything that is wrong with the query */
export function requestOf(pairs: readonly QueryPair[], vocabulary: Vocabulary): CandidateRequest {
  const { request, problems } = readRequest(pairs, FULL_DIALECT).finish(vocabulary);
  if (request) return request;
  throw new InputError(
    'query',
    problems.map(({ parameter, value, problem, plain = problem, remedy }) => ({
      field: parameter,
      value,
      problem: plain,
      remedy:
        remedy ??
        (value?.includes('&') ? 'give the whole query with --query' : 'see what it takes in hcand(1)'),
    })),
  );
}
