/** `hclaim audit`: the ledger against its own rules, or against a cluster. */

import { loadCluster, namesCluster } from '../../../../htools/programs/shared/cluster/load-cluster.ts';
import { EXIT } from '../../../../kit/exit-status.ts';
import { audit } from '../../../claims/audit/audit.ts';
import { type Finding, isWarning } from '../../../claims/audit/findings.ts';
import { type Difference, differencesOf, isFault } from '../../../claims/cluster/difference.ts';
import { imageOfSnapshot } from '../../../claims/cluster/from-snapshot.ts';
import { isOfCluster } from '../../../claims/cluster/import.ts';
import { readImage } from '../../../claims/cluster/read-image.ts';
import { type Command, MOST_WARNINGS, say, withLedger } from '../kit/context.ts';
import { differencesText, findingText } from '../text/difference-text.ts';

export const auditLedger: Command = async (options) => {
  const cluster = namesCluster(options)
    ? imageOfSnapshot(await loadCluster(options, MOST_WARNINGS), options)
    : undefined;
  return withLedger(options, async (ledger) => {
    const { findings, differences } = await ledger.store.read(async (session) => ({
      findings: await audit(session),
      differences: cluster && differencesOf(await readImage(session), cluster, isOfCluster),
    }));
    const isClean = !findings.some((finding) => !isWarning(finding)) && !differences?.some(isFault);
    const text = auditText(findings, differences, isClean);
    const facts = { isClean, findings, ...(differences && { differences }) };
    return say('audit', options, { kind: 'done', text, facts, status: isClean ? 0 : EXIT.no });
  });
};

function auditText(
  findings: readonly Finding[],
  differences: readonly Difference[] | undefined,
  isClean: boolean,
): string {
  const lines = findings.map(
    (finding) => `${isWarning(finding) ? 'Warning' : 'Fault'}: ${findingText(finding)}\n`,
  );
  const compared = differences === undefined || differences.length === 0 ? '' : differencesText(differences);
  return `${lines.join('')}${compared}${isClean ? 'The ledger is clean.' : 'The ledger is not clean.'}\n`;
}
