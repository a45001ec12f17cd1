/** What a schema finds wrong with a document, as problems of its file. */
import type * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import type { ProblemList } from '../../../kit/files/problem-list.ts';
import { shownJson } from '../../../kit/json/shown-json.ts';

const english = en().localeError;

/** The small form of the library has no words of its own, and none has one for what is not there. */
export const WORDS: z.core.ParseContext<z.core.$ZodIssue> = {
  error: (issue) => (issue.input === undefined ? 'it is missing' : english(issue)),
  reportInput: true,
};

/** What is wrong, by the path of the member. @param remedy for all @param prefix what messages begin with */
export function complain(
  problems: ProblemList,
  error: z.core.$ZodError,
  remedy: string,
  { line, prefix = '' }: { readonly line?: number; readonly prefix?: string } = {},
): void {
  for (const { path, message, input } of error.issues)
    problems.add({
      ...(line !== undefined && { line }),
      ...(path.length > 0 && { field: path.join('.') }),
      ...(input !== undefined && { value: shownJson(input) }),
      problem: prefix + message,
      remedy,
    });
}
