/** What moves cost, as members of JSON documents. */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Cost } from '../../../plan/cost.ts';
import type { cost } from '../../../results/parts/common.ts';

export const costJson = ({ diskMib, migrations, memMib, failovers }: Cost): DocumentOf<typeof cost> => ({
  copiedMib: diskMib,
  migrations,
  migratedMemMib: memMib,
  failovers,
});
