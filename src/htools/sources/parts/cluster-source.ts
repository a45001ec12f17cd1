/** What a source of clusters is. Those that there are stand in sources/list.ts. */
import type { OptionEntry } from '../../../kit/cli/options/option-table.ts';
import { introduced } from '../../../kit/faults.ts';
import type { RawSnapshot } from '../../cluster/snapshot.ts';
import type { WireLimits } from '../../ganeti/wire/limits.ts';

/** Kinds of sources, in the order in which they are offered where none is named. */
export const WHATS = ['a file', 'a live cluster', 'a made-up one'] as const;

/** A snapshot, and what of the file was not there or not looked at, in sentences. */
export interface ReadText {
  readonly snapshot: RawSnapshot;
  readonly notes: readonly string[];
}

export interface RapiSettings {
  readonly limits: WireLimits;
  /** File with names and passwords; undefined = nobody in particular asks. */
  readonly credentialsFile?: string | undefined;
  readonly authoritiesFile?: string | undefined;
  readonly fingerprints: readonly string[];
  /** Passwords go to any server. */
  readonly isInsecure?: boolean | undefined;
}

export interface Source {
  /** Of the option that names it, and of the member of `LoadOptions`. */
  readonly key: string;
  readonly what: (typeof WHATS)[number];
  /** Of the sources marked so only one may be named. */
  readonly isSole?: boolean;
  /** Unknown to stock: all programs that read clusters over the network or from files take it. */
  readonly isAddition?: boolean;
  readonly option: OptionEntry & { readonly kind: 'text' | 'repeated' };
  /** Reads the cluster; what it needs is imported then. @param values of the option, one or several */
  readonly open: (values: readonly [string, ...string[]], wire: RapiSettings) => Promise<ReadText>;
}

export const LOADING = 'failed to load data, aborting';

/** The stock programs' words for what failed, which logs are searched for, stand in front of the reason. */
export async function loading<T>(work: () => T | Promise<T>, words = LOADING): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error ? introduced(words, error) : error;
  }
}
