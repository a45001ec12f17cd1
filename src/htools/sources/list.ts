/** The sources of clusters: where several are named, the first one that stands here is read. */
import { nameOfKey } from '../../kit/cli/options/option-table.ts';
import { BackendError } from '../../kit/faults.ts';
import { IALLOCATOR } from './iallocator/source.ts';
import { LUXI } from './luxi/source.ts';
import { RAPI } from './rapi/source.ts';
import { SIMULATE } from './simulate/source.ts';
import { TEXT } from './text/source.ts';

export const SOURCES = [LUXI, RAPI, SIMULATE, TEXT, IALLOCATOR] as const;

type AnySource = (typeof SOURCES)[number];
export type SourceOptions = {
  readonly [S in AnySource as S['key']]?:
    | (S['option']['kind'] extends 'repeated' ? readonly string[] : string)
    | undefined;
};

/** What is said of a source; nothing where it is not named. An empty address names none, as in stock. */
export function named(options: SourceOptions, key: AnySource['key']): readonly string[] {
  const value = options[key];
  if (key === RAPI.key && value === '') return [];
  return typeof value === 'string' ? [value] : (value ?? []);
}

export const flagOf = ({ key, option }: AnySource): string =>
  'short' in option ? `-${option.short}` : `--${nameOfKey(key)}`;

/** Those that are named, as they are written. @throws BackendError for two that do not go together */
export function namedSources(options: SourceOptions): readonly string[] {
  const given = SOURCES.filter(({ key }) => named(options, key).length > 0);
  const flags = given.map(flagOf);
  if (given.filter((one) => 'isSole' in one).length > 1)
    throw new BackendError(
      'Only one of the rapi, luxi, and data files options should be given.',
      `leave out all but one of ${flags.join(', ')}`,
    );
  return flags;
}

export const SOURCE_ENTRIES = Object.fromEntries(SOURCES.map(({ key, option }) => [key, option])) as {
  readonly [S in AnySource as S['key']]: S['option'];
};

type Added<T> = T extends readonly [infer S, ...infer Rest]
  ? S extends { readonly isAddition: true; readonly key: infer K extends string }
    ? `${K} ${Added<Rest>}`
    : Added<Rest>
  : '';

/** Keys of the sources that are ours, as words. */
export const ADDED_SOURCES = SOURCES.flatMap((one) => ('isAddition' in one ? [`${one.key} `] : [])).join(
  '',
) as Added<typeof SOURCES>;
