/** What moves cost, as members of JSON documents. */
import type { cost, DocumentOf } from '../../../documents/parts/common.ts';
import type { Cost } from '../../../plan/cost.ts';

export const costJson = ({ diskMib, migrations, memMib, failovers }: Cost): DocumentOf<typeof cost> => ({
  copiedMib: diskMib,
  migrations,
  migratedMemMib: memMib,
  failovers,
});
