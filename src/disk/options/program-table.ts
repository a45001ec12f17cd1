/** The program for layouts of disks: purpose, options in the order of `--help-completion`, arguments. */
import type { KeysOf, ProgramDefinition } from '../../kit/cli/options/program.ts';
import type { OptionValues, ValuesOfProgram } from '../../kit/cli/options/values.ts';
import { words } from '../../kit/cli/options/words.ts';
import type { HDISK_OPTIONS } from './option-table.ts';

export const DISK_PROGRAMS = {
  hdisk: {
    summary: 'lays out the disks of nodes: a schema of spaces becomes exact sizes',
    examples: [
      ['hdisk -s schema.yaml -H disks.yaml', 'how the disks are laid out'],
      ['hdisk -s schema.yaml -H rack --explain', 'of a folder of nodes, and why so'],
      ['hdisk -s schema.yaml -H rack --svg=d.svg', 'as a drawing'],
    ],
    endings: {
      done: 'all nodes have a layout; with *--check* it is the one that they should have',
      no: 'a node has no layout, or with *--check* a different one',
      input: 'a file cannot be understood',
    },
    stock: words('textFile quiet'),
    ours: words(`
      schema hardware onlyNodes evaluate rounding strictWeights timeLimit layoutFormat svg explainLayout
      checkLayout emitPools savePools metadataSize metadataCopies whatIf diff outputFile json color`),
    faultStatus: 2,
  },
} as const satisfies Record<string, ProgramDefinition<keyof typeof HDISK_OPTIONS>>;

type Values = OptionValues<typeof HDISK_OPTIONS>;

export type ProgramOptions<P extends keyof typeof DISK_PROGRAMS> = ValuesOfProgram<
  Values,
  KeysOf<(typeof DISK_PROGRAMS)[P]>
>;
