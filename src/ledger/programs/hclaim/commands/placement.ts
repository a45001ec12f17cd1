/** Between a ledger and Placement: `hclaim import --placement`, `export`, `audit --placement`. */
import { resolve } from 'node:path';
import { namesCluster } from '../../../../htools/programs/shared/cluster/load-cluster.ts';
import { EXIT } from '../../../../kit/exit-status.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { Progress } from '../../../../kit/report/progress.ts';
import { warning } from '../../../../kit/report/tone.ts';
import { count } from '../../../../kit/text/words.ts';
import { type Author, change, type Ledger } from '../../../claims/claim/ledger.ts';
import type { Difference } from '../../../claims/cluster/difference.ts';
import { enterImage } from '../../../claims/cluster/enter-image.ts';
import type { LedgerImage } from '../../../claims/cluster/image.ts';
import { requireEmpty } from '../../../claims/cluster/import.ts';
import { readImage } from '../../../claims/cluster/read-image.ts';
import { openDatabase } from '../../../moving/database.ts';
import { Draft } from '../../../moving/draft.ts';
import { isHttp, placementDifferences, readPlacement } from '../../../moving/placement.ts';
import { writeDatabase } from '../../../moving/write-database.ts';
import { badArgument } from '../../shared/access/ledger-url.ts';
import { type Ended, type Options, withLedger } from '../kit/context.ts';
import { differencesText } from '../text/words.ts';

async function read(options: Options, draft?: Draft): Promise<LedgerImage> {
  const progress = new Progress();
  try {
    const { placement, placementCredentials: credentials } = options;
    return await readPlacement({ url: placement!, credentials, says: (text) => progress.at(text) }, draft);
  } finally {
    progress.done();
  }
}

export async function againstPlacement(
  options: Options,
): Promise<(ledger: LedgerImage) => readonly Difference[]> {
  if (namesCluster(options))
    throw badArgument('a cluster and --placement exclude each other', 'name one of them');
  const placement = await read(options);
  return (ledger) => placementDifferences(ledger, placement);
}

/** What was moved and, where it was asked for, how both differ now. */
async function moved<Facts extends object>(options: Options, ledger: Ledger, text: string, facts: Facts) {
  const differences = options.verify
    ? (await againstPlacement(options))(await ledger.store.read(readImage))
    : [];
  const status = differences.length > 0 ? EXIT.no : EXIT.done;
  const verified = options.verify ? differencesText(differences, 'Placement') : '';
  return { kind: 'done', text: `${text}${verified}`, facts: { ...facts, differences }, status } as const;
}

export async function importPlacement(
  options: Options,
  author: Author,
  mode: 'fresh' | 'replace',
): Ended<'import'> {
  const url = options.placement!;
  return withLedger(options, async (ledger) => {
    // Nobody waits for ten minutes to hear that there is no room.
    if (mode === 'fresh') {
      const room = await ledger.store.read(async (session) => requireEmpty(await readImage(session)));
      if (room.kind !== 'done') return room;
    }
    const draft = isHttp(url) ? new Draft(`${url}\n${resolve(ledger.store.name)}`) : undefined;
    if (draft?.size && options.verbosity > 0)
      printErr(`Going on with ${draft.size} answers that a run before has left.\n`);
    let isDone = false;
    try {
      const image = await read(options, draft);
      const outcome = await change(ledger, author, (session, context) =>
        enterImage(session, context, image, mode),
      );
      if (outcome.kind !== 'done') return outcome;
      isDone = true;
      const counts = { providers: image.providers.size, consumers: image.consumers.size };
      const text = `Imported ${count(counts.providers, 'provider')} and ${count(counts.consumers, 'consumer')}.\n`;
      return await moved(options, ledger, text, { mode, ...counts });
    } finally {
      draft?.close(isDone);
    }
  });
}

export async function exportLedger(options: Options): Ended<'export'> {
  const { placement: url } = options;
  if (url === undefined || isHttp(url))
    throw badArgument(
      'hclaim export: name the database of the Placement with --placement',
      'write it as placement.conf has it: mysql://USER:PASSWORD@HOST/DATABASE, or postgres://...',
    );
  return withLedger(options, async (ledger) => {
    const image = await ledger.store.read(readImage);
    const ending = [...image.consumers.values()].filter(({ ends }) => ends.length > 0).length;
    if (ending > 0 && options.verbosity > 0)
      printErr(
        warning(
          `${count(ending, 'consumer has', 'consumers have')} room that would go back by itself: Placement keeps it for good`,
        ),
      );
    const database = await openDatabase(url);
    try {
      await writeDatabase(database, image, ledger.now());
    } finally {
      await database.close();
    }
    const counts = { providers: image.providers.size, consumers: image.consumers.size };
    const text = `${database.name} has ${count(counts.providers, 'provider')} and ${count(counts.consumers, 'consumer')}.\n`;
    return moved(options, ledger, text, counts);
  });
}
