/** What is printed and saved. */
import { optionTable, WRITTEN_FILE } from '../../kit/cli/options/option-table.ts';

/** The columns of `-p`. */
// biome-ignore format: a list of words
export const NODE_COLUMNS = [
  'idx', 'name', 'fqdn', 'status', 'tmem', 'nmem', 'xmem', 'fmem', 'umem', 'imem', 'rmem',
  'amem', 'tdsk', 'fdsk', 'tcpu', 'ucpu', 'pcnt', 'scnt', 'plist', 'slist', 'pfmem', 'pfdsk',
  'rcpu', 'cload', 'mload', 'dload', 'nload', 'ptags', 'peermap', 'spindle_count', 'hi_spindles', 'inst_spindles',
] as const;

export const REPORT_OPTIONS = optionTable('output', {
  printNodes: {
    short: 'p',
    kind: 'fields',
    metavar: 'FIELDS',
    columns: NODE_COLUMNS,
    isEveryday: true,
    help: 'show the nodes; of a plan before and after',
    manual: `Prints a table of the nodes on standard error; where something is planned, before and after it. _FIELDS_ is a list of column names
separated by commas; a list that starts with *+* adds to the usual columns. Memory is in MiB, disk in GiB. The column *F* marks
offline nodes with *-* and nodes that fail the N+1 check with ***.

Columns: ${NODE_COLUMNS.join(', ')}.`,
  },
  printInstances: {
    help: 'show where the instances are',
    manual: `Prints the instances with their nodes, sizes and loads on standard error; where something is planned, before and after it.`,
  },
  stockFigures: {
    help: 'save and show free memory as it was before the moves, as the stock programs do',
    manual: `Saves and shows the free memory that the nodes reported before the moves, and counts a spindle for instances whose disks are on no
node, as the stock programs do. Without this option, *--save* and the tables have the figures as the moves leave them, so that programs that read
the saved file find the cluster that was planned.`,
  },
  save: {
    aliases: ['save-cluster'],
    short: 'S',
    metavar: 'FILE',
    isWritten: 'stem',
    completion: 'none',
    help: 'write the cluster to FILE.STAGE, for --text-data',
    manual: `Writes the cluster as text to files named _FILE_ with a suffix for each stage: see FILES in the program's page. Such files can be read with *--text-data*.`,
  },
  machineReadable: {
    kind: 'yes-no',
    metavar: 'CHOICE',
    help: 'print KEY=value lines for shell scripts',
    manual: `Prints lines of the form *KEY=value* that a shell can read. _CHOICE_ is *yes* (the default) or *no*.`,
  },
  storage: {
    isEveryday: true,
    help: 'show storage pools, and who reaches them',
    manual: `Shows the storage pools with their instances, use and size, and the groups that reach each. When the snapshot states storage
they are shown even without this option.`,
  },
  n1: {
    isEveryday: true,
    help: 'show which nodes it can lose, and the fullest',
    manual: `Shows for each node whether everything that runs on it could be restarted elsewhere in its group if it failed, taking shared storage
into account: yes, no with what is short, or unproven. With *-v* also where each instance would start. Then which nodes are the fullest, and would run full first.`,
  },
  groups: {
    isEveryday: true,
    help: 'show health, score and use of each group',
    manual: `Shows for each node group its health, score, used and free memory, disk and virtual cpus, then the partitions (which groups reach
each storage pool), and which groups are alone.`,
  },
  html: {
    ...WRITTEN_FILE,
    isEveryday: true,
    help: 'write a page with pictures to FILE',
    manual: `Writes one page to _FILE_, beside what is printed: what will happen, whether it is worth it, what it costs and what is wrong; then charts, the steps or
moves with their why, the nodes, what is refused, the metrics, and the commands to copy. With *--explain* the page of *hbal* also says for each step what a rule
refused; without it, only after the last. It loads nothing from anywhere.`,
  },
  outputDir: {
    short: 'd',
    metavar: 'PATH',
    default: '.',
    completion: 'dir',
    isEveryday: true,
    help: 'write the snapshots into the folder PATH',
    manual: `Writes the snapshots into the folder _PATH_, which must exist; the default is the current folder.`,
  },
});
