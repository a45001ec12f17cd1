/** Whether something is asked in place of planning. Apart, so that who asks nothing loads nothing. */
import type { SomeOptions } from '../../../options/command-options.ts';

export const hasQuestions = ({ why = [], tryMove = [] }: SomeOptions<'why' | 'tryMove'>): boolean =>
  why.length + tryMove.length > 0;
