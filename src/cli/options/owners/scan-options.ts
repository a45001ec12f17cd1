/** What hscan does with clusters. One piece because it is a table. */
import type { OptionDefinition } from './option.ts';

export const SCAN_OPTIONS = {
  outputDir: {
    name: 'output-dir',
    short: 'd',
    kind: 'text',
    argument: 'required',
    metavar: 'PATH',
    default: '.',
    completion: 'dir',
    group: 'output',
    help: 'write the snapshots into the folder PATH',
    manual: `Writes the snapshots into the folder _PATH_, which must exist; the default is the current folder.`,
  },
} as const satisfies Record<string, OptionDefinition>;
