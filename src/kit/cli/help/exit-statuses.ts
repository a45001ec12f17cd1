/** What the exit statuses of a program mean, for manual pages and documentation. */
import { type Ending, EXIT, statusAsAsked } from '../../exit-status.ts';
import type { Program } from '../options/program.ts';

const UNREADABLE = 'the input cannot be read, a name in it or in an option is unknown, or a value is invalid';
const OPTIONS = 'the command line has an unknown or ambiguous option';

/** What holds of every program that carries plans out. */
const OF_EXECUTIONS: Partial<Record<Ending, string>> = {
  no: 'with *--exec*: a job failed or was refused, or the master no longer answered',
  left: 'with *--skip-failed*: jobs were left out, and standard error names them',
  changed:
    'with *--exec*: the cluster is no longer what the plan assumes, is in trouble (*--calm*), or another execution did not end (*--wait*); nothing that it would not allow was submitted',
  interrupted: 'with *--exec*: SIGTERM or SIGHUP was received; the jobs that were submitted go on',
};

/** The statuses in their order, each with all that it can mean. */
export function statusesOf({ endings, faultStatus, options }: Program): ReadonlyMap<number, string> {
  const common = 'exec' in options ? OF_EXECUTIONS : {};
  const told: (readonly [number, string | undefined])[] = [
    [EXIT.done, endings.done],
    [EXIT.no, endings.no],
    [EXIT.no, common.no],
    [faultStatus ?? statusAsAsked('input'), endings.input ?? UNREADABLE],
    [EXIT.bad, OPTIONS],
    [statusAsAsked('someFailed'), endings.someFailed],
    [statusAsAsked('interrupted'), common.interrupted],
    [EXIT.left, endings.left],
    [EXIT.left, common.left],
    [EXIT.changed, endings.changed ?? common.changed],
    [EXIT.internal, 'a fault of the program itself'],
  ];
  const byStatus = new Map<number, string>();
  for (const [status, text] of told)
    if (text !== undefined) byStatus.set(status, [byStatus.get(status) ?? [], text].flat().join('; '));
  return byStatus;
}

/** Between which lines of a page the table stands. */
export const STATUS_MARKS = ['<!-- exit statuses: made by npm run docs -->', '<!-- end -->'] as const;

/** What the statuses of all programs mean but for what they have in common, in Markdown. */
export function exitStatusTable(programs: readonly Program[]): string {
  const columns = ['done', 'no', 'left', 'changed'] as const;
  const rows = programs.map(({ name, endings }) => [
    name,
    ...columns.map((ending) => (endings[ending] ?? '').replaceAll('*', '`')),
  ]);
  return [
    ['program', ...columns.map((ending) => EXIT[ending])],
    ['---', ...columns.map(() => '---')],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}
