/** A Placement, by its address: over HTTP, or in its database. */
import { type Difference, differencesOf } from '../claims/cluster/difference.ts';
import type { LedgerImage } from '../claims/cluster/image.ts';
import { Client, logInWith } from './client.ts';
import { openDatabase, readDatabase } from './database.ts';
import type { Draft } from './draft.ts';
import { readHttp } from './read-http.ts';
import { imageOfRows } from './rows.ts';

interface Placement {
  /** `http://...`, or the URL of its database. */
  readonly url: string;
  readonly credentials: string | undefined;
  readonly says: (text: () => string) => void;
}

export const isHttp = (url: string): boolean => /^https?:\/\//.test(url);

/** All that it holds. @param draft what a broken run has read; a database is read as a whole. */
export async function readPlacement(
  { url, credentials, says }: Placement,
  draft?: Draft,
): Promise<LedgerImage> {
  if (isHttp(url)) {
    const client = new Client(url, logInWith(credentials));
    return imageOfRows(await readHttp(client, draft, says), client.url);
  }
  const database = await openDatabase(url);
  try {
    return imageOfRows(await readDatabase(database), database.name);
  } finally {
    await database.close();
  }
}

/** Placement does not say what can run instances: that is the ledger's own. */
export const placementDifferences = (ledger: LedgerImage, placement: LedgerImage): readonly Difference[] =>
  differencesOf(ledger, placement, 'all').filter(
    (one) => !(one.kind === 'provider-differs' && one.what === 'can_host'),
  );
