/** Columns of a text snapshot behind the known ones: somebody else's, or the line is wrong. */
import { count } from '../../../kit/text/words.ts';
import { GROUP, INSTANCE, NODE, POLICY } from './text-schema.ts';
import type { TextLine } from './text-sections.ts';

/** Behind a node's columns stand its pools, behind an instance's its storage type and pool. */
const NODE_STORAGE_COLUMNS = 1;
const INSTANCE_STORAGE_COLUMNS = 2;

/** By section: what its lines are, and how many columns are read. Cluster tags have none. */
const SECTIONS: readonly (readonly [string, number] | undefined)[] = [
  [GROUP.item, GROUP.columns.length],
  [NODE.item, NODE.columns.length + NODE_STORAGE_COLUMNS],
  [INSTANCE.item, INSTANCE.columns.length + INSTANCE_STORAGE_COLUMNS],
  undefined,
  [POLICY.item, POLICY.columns.length],
];

export class ExtraColumns {
  private readonly counts = SECTIONS.map(() => 0);

  note({ section }: TextLine, fields: readonly string[]): void {
    const kind = SECTIONS[section];
    if (kind && fields.length > kind[1]) this.counts[section]!++;
  }

  notes(source: string): string[] {
    return SECTIONS.flatMap((kind, section) => {
      const extra = this.counts[section]!;
      if (!kind || extra === 0) return [];
      const [item, columns] = kind;
      const lines = count(extra, `${item} line has`, `${item} lines have`);
      return [`${source}: ${lines} more than ${columns} columns; the rest is not read`];
    });
  }
}
