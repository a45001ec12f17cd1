/** `hcheck --lint`: tags that match nothing, contradict each other, or cannot be met. */
import { EXIT } from '../../../kit/exit-status.ts';
import { documentHead } from '../../../kit/report/json.ts';
import { printOut } from '../../../kit/report/output.ts';
import { count } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { lintTags } from '../../explain/lint/lint.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { LintFinding } from '../../results/parts/explanation.ts';
import { printDocument } from '../shared/document/print-document.ts';
import { isDocument, type WhatIfMember } from '../shared/questions/report-what-if.ts';

const findingText = ({ kind, subject, tag, problem, remedy }: LintFinding): string =>
  `${kind}: ${tag} of ${subject}: ${problem}\n  Maybe ${remedy}\n`;

/** @returns the exit status: 3 when anything is found */
export async function lint(
  snapshot: Snapshot,
  options: ProgramOptions<'hcheck'>,
  whatIf: WhatIfMember,
): Promise<number> {
  const findings = lintTags(snapshot);
  if (isDocument(options))
    await printDocument(options, { ...documentHead('hcheck'), lint: findings, ...whatIf });
  else {
    const tagged = snapshot.instances.filter(({ tags }) => tags.length > 0).length;
    const head =
      findings.length > 0 || options.verbosity < 1
        ? ''
        : `Tags of ${count(tagged, 'instance')} looked at: nothing found.\n`;
    printOut(findings.map(findingText).join('') + head);
  }
  return findings.length > 0 ? EXIT.left : 0;
}
