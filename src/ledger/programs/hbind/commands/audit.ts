/** `hbind audit`. */
import { EXIT } from '../../../../kit/exit-status.ts';
import { auditBindings, type Finding } from '../../../binding/audit/audit.ts';
import { type Command, withBook } from '../kit/context.ts';

function findingText(finding: Finding): string {
  switch (finding.kind) {
    case 'overlap':
      return `${finding.tenant}: bindings ${finding.bindings.join(' and ')} hold at the same time`;
    case 'gap':
      return `${finding.tenant}: binding ${finding.bindings[0]} ended for another, which does not begin then`;
    case 'backwards':
      return `${finding.tenant}: binding ${finding.binding} ends before it begins`;
    case 'no-pod':
      return `${finding.tenant}: binding ${finding.binding} is to pod ${finding.pod}, which is not there`;
    case 'from-the-future':
      return `${finding.tenant}: binding ${finding.binding} was chosen from pods that are still to come`;
    case 'mark':
      return `${finding.pod}: is ${finding.isMarked ? '' : 'not '}marked as exhausted, and its use says otherwise`;
    case 'keys':
      return `the pods use the keys ${finding.right.join(', ') || 'none'}, and ${finding.found.join(', ') || 'none'} are noted`;
  }
}

export const audit: Command<'audit'> = (options) =>
  withBook(options, async (book) => {
    const findings = await book.store.read(auditBindings);
    return {
      kind: 'done',
      text: findings.map((finding) => `${findingText(finding)}\n`).join('') || 'The bindings are clean.\n',
      facts: { findings },
      status: findings.length > 0 ? EXIT.no : 0,
    };
  });
