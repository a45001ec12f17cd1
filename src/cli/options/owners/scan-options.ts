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
    manual: `Writes the snapshots into the folder _PATH_, which must exist; the current folder unless given.`,
  },
  noHeaders: {
    name: 'no-headers',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'output',
    help: 'print no line of headings',
    manual: `Prints no line of headings.`,
  },
} as const satisfies Record<string, OptionDefinition>;
