/** The commands of a plan, to copy. */
import type { Markup } from '../../../../kit/report/html/markup.ts';
import { section } from '../../../../kit/report/html/page.ts';
import { commandBox } from '../../../../kit/report/html/table.ts';

type JobSets = readonly (readonly { readonly commands: readonly string[] }[])[];

/** The commands of all job sets, each set with a heading that a shell passes over. */
const commandLines = (sets: JobSets): readonly string[] =>
  sets.flatMap((jobs, k) => [
    `# job set ${k + 1}, ${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'}`,
    ...jobs.flatMap(({ commands }) => commands),
  ]);

/** Nothing where there are none. @param id unique on the page */
export const commandsSection = (sets: JobSets, id: string): readonly Markup[] =>
  sets.length > 0 ? [section('Commands', commandBox(id, commandLines(sets)))] : [];
