/** What a schema finds wrong with a document, as problems of its file. */
import type * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import type { ProblemList } from '../../../kit/files/problem-list.ts';

const english = en().localeError;

/** The small form of the library has no words of its own, and none has one for what is not there. */
export const WORDS: z.core.ParseContext<z.core.$ZodIssue> = {
  error: (issue) => (issue.input === undefined ? 'it is missing' : english(issue)),
};

/** What is wrong, by the path of the member. @param prefix what each message begins with */
export function complain(
  problems: ProblemList,
  error: z.core.$ZodError,
  { line, prefix = '' }: { readonly line?: number; readonly prefix?: string } = {},
): void {
  for (const { path, message } of error.issues)
    problems.add({
      ...(line !== undefined && { line }),
      ...(path.length > 0 && { field: path.join('.') }),
      problem: prefix + message,
    });
}
