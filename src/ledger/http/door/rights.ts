/** What the roles of Keystone may do here: a table, of which the first line that fits a token counts. */
import type { InputProblem } from '../../../kit/faults.ts';
import { readLines } from './credentials.ts';
import type { Caller } from './tokens.ts';

const GIVEN = ['admin', 'reader', 'project'] as const;
const FORM = 'ROLE RIGHT [SCOPE]';
const SCOPES = ['system', 'project'] as const;

export interface Right {
  readonly role: string;
  readonly gives: NonNullable<Caller['role']>;
  /** Only tokens for the whole system, or for a project; undefined: any. */
  readonly scope: (typeof SCOPES)[number] | undefined;
}

/** By the roles that Keystone has of itself. */
export const USUAL_RIGHTS: readonly Right[] = [
  { role: 'admin', gives: 'admin', scope: undefined },
  { role: 'service', gives: 'admin', scope: undefined },
  { role: 'reader', gives: 'reader', scope: 'system' },
  { role: 'reader', gives: 'project', scope: undefined },
  { role: 'member', gives: 'project', scope: undefined },
];

function readLine(line: string): Right | InputProblem {
  const [role = '', right, scope, ...rest] = line.split(/\s+/);
  if (right === undefined || rest.length > 0)
    return { problem: 'a line is a role, a right and, if you like, a scope', remedy: `write it as ${FORM}` };
  const gives = GIVEN.find((one) => one === right);
  if (!gives)
    return { field: 'right', value: right, problem: 'no such right', remedy: `use ${GIVEN.join(', ')}` };
  const known = SCOPES.find((one) => one === scope);
  if (scope !== known)
    return { field: 'scope', value: scope, problem: 'no such scope', remedy: `use ${SCOPES.join(' or ')}` };
  return { role, gives, scope: known };
}

/** @param source name of the file, for messages. @throws {InputError} with all faults of the file */
export const readRights = (text: string, source: string): readonly Right[] =>
  readLines(text, source, FORM, readLine);
