/** The ledger and a cluster: `hclaim import`, and `audit`, which holds it against its own rules, too. */
import {
  loadCluster,
  namesCluster,
  withHeadRoom,
} from '../../../../htools/programs/shared/cluster/load-cluster.ts';
import { reportWhatIf } from '../../../../htools/programs/shared/questions/report-what-if.ts';
import { allSaid, refuseAs } from '../../../../kit/cli/all-said.ts';
import { EXIT } from '../../../../kit/exit-status.ts';
import { printOut } from '../../../../kit/report/output.ts';
import { count } from '../../../../kit/text/words.ts';
import { audit, type Finding, isWarning } from '../../../claims/audit/audit.ts';
import { type Author, change } from '../../../claims/claim/ledger.ts';
import { type Difference, differencesOf, isFault } from '../../../claims/cluster/difference.ts';
import { imageOfSnapshot } from '../../../claims/cluster/from-snapshot.ts';
import type { LedgerImage } from '../../../claims/cluster/image.ts';
import { type ImportMode, importCluster } from '../../../claims/cluster/import.ts';
import { readImage } from '../../../claims/cluster/read-image.ts';
import { badArgument } from '../../shared/access/ledger-url.ts';
import { reported } from '../../shared/document/ending.ts';
import { authorOf, type Command, MOST_WARNINGS, type Options, withLedger } from '../kit/context.ts';
import { differencesText, findingText, toldOf } from '../text/words.ts';
import { againstPlacement, importPlacement } from './placement.ts';

/** @throws {UsageError} with all words that do not go together */
function readWords(options: Options): { readonly mode: ImportMode | 'compare'; readonly author: Author } {
  const { replace, sync, dryRun, placement, whatIf } = options;
  const refuse = refuseAs((message, remedy) => badArgument(`hclaim import: ${message}`, remedy));
  const isChanged = whatIf.length > 0;
  const [author] = allSaid(
    () => authorOf(options),
    refuse(replace && sync, '--replace and --sync exclude each other', 'give one of them'),
    refuse(
      replace && dryRun,
      '--replace removes all that the ledger has, and --dry-run tells what --sync would change',
      'give one of them',
    ),
    placement === undefined
      ? refuse(
          isChanged && !dryRun,
          'a cluster that --what-if changes is not there to be entered',
          'add --dry-run to see what would differ',
        )
      : refuse(
          isChanged || sync || dryRun || namesCluster(options),
          '--placement takes all of a Placement, and neither a cluster nor --sync, --dry-run or --what-if',
          'see what differs with: hclaim audit --placement URL',
        ),
  );
  return { author, mode: dryRun ? 'compare' : replace ? 'replace' : sync ? 'sync' : 'fresh' };
}

export const importSnapshot: Command<'import'> = async (options) => {
  const { mode, author } = readWords(options);
  if (options.placement !== undefined)
    return importPlacement(options, author, mode === 'replace' ? mode : 'fresh');
  const snapshot = withHeadRoom(await loadCluster(options, MOST_WARNINGS), options);
  const whatIf = await reportWhatIf(snapshot, options);
  const cluster = imageOfSnapshot(snapshot, options);
  return withLedger(options, async (ledger) => {
    const compare = async () => differencesOf(await ledger.store.read(readImage), cluster, 'of-cluster');
    // The difference is said before anything is changed.
    if (mode === 'sync' && !options.json) {
      const told = toldOf(await compare(), options);
      if (told.length > 0 || options.verbosity > 0) printOut(differencesText(told));
    }
    const outcome =
      mode === 'compare'
        ? ({ kind: 'done', value: { differences: await compare() } } as const)
        : await change(ledger, author, (session, context) => importCluster(session, context, cluster, mode));
    return reported(outcome, ({ differences }) => {
      const counts = { providers: cluster.providers.size, consumers: cluster.consumers.size };
      const summary = `${count(counts.providers, 'provider')} and ${count(counts.consumers, 'consumer')}`;
      const told = toldOf(differences, options);
      const text =
        mode === 'compare'
          ? `${differencesText(told)}Nothing was changed.\n`
          : mode === 'sync'
            ? `The ledger is in line with the cluster: ${summary}${leftText(differences)}.\n`
            : `Imported ${summary}.\n`;
      const isNothing = mode !== 'fresh' && mode !== 'replace' && told.length === 0;
      return { text, isNothing, facts: { mode, ...counts, differences, ...whatIf } };
    });
  });
};

/** What a synchronisation left, for somebody else has yet to make it or to give it back. */
function leftText(differences: readonly Difference[]): string {
  const count = (wanted: Difference['kind']): number =>
    differences.filter(({ kind }) => kind === wanted).length;
  const [moves, providers] = [count('moving'), count('provider-held')];
  return [
    moves === 0 ? '' : `; claimed moves that were left, for they are not made yet: ${moves}`,
    providers === 0 ? '' : `; providers that were left, for something is promised there: ${providers}`,
  ].join('');
}

export const auditLedger: Command<'audit'> = async (options) => {
  const compare = await comparison(options);
  return withLedger(options, async (ledger) => {
    const { findings, differences } = await ledger.store.read(async (session) => ({
      findings: await audit(session),
      differences: compare?.(await readImage(session)),
    }));
    const isClean = !findings.some((finding) => !isWarning(finding)) && !differences?.some(isFault);
    const other = options.placement === undefined ? 'cluster' : 'Placement';
    const told = toldOf(differences ?? [], options);
    const compared = told.length > 0 ? differencesText(told, other) : '';
    const text = auditText(findings, compared, isClean);
    const isNothing = findings.length === 0 && compared === '';
    const facts = { isClean, findings, ...(differences && { differences }) };
    return { kind: 'done', text, isNothing, facts, status: isClean ? 0 : EXIT.no };
  });
};

async function comparison(
  options: Options,
): Promise<((ledger: LedgerImage) => readonly Difference[]) | undefined> {
  if (options.placement !== undefined) return againstPlacement(options);
  if (!namesCluster(options)) return undefined;
  const snapshot = withHeadRoom(await loadCluster(options, MOST_WARNINGS), options);
  const cluster = imageOfSnapshot(snapshot, options);
  return (ledger) => differencesOf(ledger, cluster, 'of-cluster');
}

function auditText(findings: readonly Finding[], compared: string, isClean: boolean): string {
  const lines = findings.map(
    (finding) => `${isWarning(finding) ? 'Warning' : 'Wrong'}: ${findingText(finding)}\n`,
  );
  return `${lines.join('')}${compared}${isClean ? 'The ledger is clean.' : 'The ledger is not clean.'}\n`;
}
