/** `hclaim audit`: the ledger against its own rules, or against a cluster. */
import {
  loadCluster,
  namesCluster,
  withHeadRoom,
} from '../../../../htools/programs/shared/cluster/load-cluster.ts';
import { EXIT } from '../../../../kit/exit-status.ts';
import { audit, type Finding, isWarning } from '../../../claims/audit/audit.ts';
import { type Difference, differencesOf, isFault } from '../../../claims/cluster/difference.ts';
import { imageOfSnapshot } from '../../../claims/cluster/from-snapshot.ts';
import type { LedgerImage } from '../../../claims/cluster/image.ts';
import { readImage } from '../../../claims/cluster/read-image.ts';
import { type Command, MOST_WARNINGS, type Options, withLedger } from '../kit/context.ts';
import { differencesText, findingText, toldOf } from '../text/difference-text.ts';
import { againstPlacement } from './placement.ts';

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

/** How the ledger differs from what the command line names. */
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
