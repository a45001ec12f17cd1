/** The layout of a node's disks. */
import {
  FILE,
  float,
  integer,
  optionTable,
  repeated,
  WRITTEN_FILE,
} from '../../kit/cli/options/option-table.ts';

/** A day: nobody waits longer for one node. */
const MAX_SECONDS = 86_400;
const MAX_METADATA = 1_000_000;
const MAX_METADATA_COPIES = 2;

export const DISK_OPTIONS = optionTable('output', {
  schema: {
    short: 's',
    ...FILE,
    group: 'input',
    isEveryday: true,
    help: 'what is wanted on the disks (YAML or JSON)',
    manual: `Reads the schema from _FILE_: what spaces are wanted, how large, on which disks. YAML or JSON; *-* is standard input. See FILES.`,
  },
  hardware: {
    short: 'H',
    ...repeated('PATH'),
    completion: 'file',
    group: 'input',
    isEveryday: true,
    help: 'the disks of the nodes: a file or a folder',
    manual: `Reads hardware from _PATH_: a file with one record or a list of them (YAML or JSON; *-* is standard input), or a folder, from which all
files that end in *.yaml*, *.yml* or *.json* are read in the order of their names. May be given several times. Without it, and without *--text-data*, the
hardware is read from the schema's file, under *hw_info*.`,
  },
  onlyNodes: {
    name: 'node',
    ...repeated('NODE'),
    completion: 'manynodes',
    group: 'input',
    isEveryday: true,
    help: 'lay out only this node (may be repeated)',
    manual: `Lays out only this node of those in the hardware or the snapshot. May be given several times.`,
  },
  evaluate: {
    metavar: 'EXPRESSION',
    group: 'questions',
    isEveryday: true,
    help: 'print what EXPRESSION gives, lay out nothing',
    manual: `Prints what one expression gives on the hardware, as JSON, with a line for each node, and lays out nothing: for writing schemas, which it does
not need. With or without *yaql=* in front.`,
  },
  rounding: {
    metavar: 'HOW',
    default: 'largest',
    choices: ['largest', 'down'],
    group: 'search',
    help: 'how sizes become whole: largest (nothing is lost) or down',
    manual: `How exact sizes become whole ones. *largest*, the default, gives the units that the fractions on a disk add up to back to the largest
fractions, so that each disk is used up and every requirement is met. *down* drops fractions, as Bareon does; a space can then miss
its minimum by one, which is reported.`,
  },
  strictWeights: {
    group: 'search',
    help: 'treat sharing by weight as a requirement: where it cannot be kept, no layout',
    manual: `Treats sharing by weight as a requirement like any other, as Bareon does: where it cannot be kept there is no layout. Without this
option it gives way, as little as possible, with a warning.`,
  },
  timeLimit: {
    ...float('SECONDS', { above: 0, atMost: MAX_SECONDS }),
    default: 60,
    unit: 'seconds',
    group: 'search',
    help: 'search no longer than this for the layout of one node',
    manual: `Searches no longer than this for the best layout of one node. Only schemas with *copies*, *min_disks* or *max_disks*
can take long. When time runs out, the best layout so far is taken and reported as unproven.`,
  },
  layoutFormat: {
    name: 'format',
    metavar: 'FORMAT',
    default: 'table',
    choices: ['table', 'text', 'static', 'volumes', 'lp', 'json', 'keyvalue', 'prometheus'],
    isEveryday: true,
    help: 'table, static, volumes, lp, json, keyvalue or prometheus',
    manual: `What to print. *table*: for people; many nodes are one line each. *static*: sizes by disk and space, as YAML. *volumes*: tables,
partitions, physical volumes, volume groups and logical volumes, as YAML. *lp*: the linear program of one node, in the LP format that solvers
read. *json*: everything, with *schemaVersion*; *keyvalue* and *prometheus* as in the other programs, where *text* is what *table* is here.`,
  },
  svg: {
    ...WRITTEN_FILE,
    isEveryday: true,
    help: 'draw the disks to scale into FILE',
    manual: `Draws the disks as bars, to scale, with their spaces and sizes, and writes the drawing to _FILE_: an SVG image that any browser shows.`,
  },
  explainLayout: {
    name: 'explain',
    group: 'questions',
    isEveryday: true,
    help: 'why each space has its size and its disks',
    manual: `Says for each space why it has its size: the size is given, it is a limit, the space shares with others, or it has what they left; whether
it lies on the disks that suit it best; and what the exact sizes were.`,
  },
  checkLayout: {
    name: 'check',
    ...FILE,
    group: 'questions',
    isEveryday: true,
    help: 'compare FILE with what the schema gives now',
    manual: `For cron: compares the layouts in _FILE_, as *--format static* or *--json* wrote them, with what the schema would give now, and prints
the differences. The exit status is 1 when there are any. With *--node*, other nodes in _FILE_ are passed over.`,
  },
  emitPools: {
    group: 'pools',
    isEveryday: true,
    help: 'print the storage pools that nodes get',
    manual: `Prints the storage pools that the nodes get: each container of the schema is one, as large as the spaces in it. With
*--text-data* and *--save* the snapshot is written with these pools, for *hspace*(1) and the other programs.`,
  },
  savePools: {
    name: 'save',
    short: 'S',
    ...WRITTEN_FILE,
    group: 'pools',
    help: 'with --emit-pools: write the snapshot of --text-data with these pools to FILE',
    manual: `With *--emit-pools* and *--text-data*: writes the snapshot to _FILE_; the disk of each node that was to be laid out is as large as
its pools together (0 where there is no layout), and their names are included.`,
  },
  metadataSize: {
    ...integer('MIB', { atLeast: 0, atMost: MAX_METADATA }),
    default: 8,
    unit: 'MiB',
    group: 'pools',
    help: 'volumes: size of each copy of the metadata on a physical volume, in MiB',
    manual: `For *--format volumes*: size of each copy of the metadata on a physical volume.`,
  },
  metadataCopies: {
    ...integer('N', { atLeast: 0, atMost: MAX_METADATA_COPIES }),
    default: 2,
    group: 'pools',
    help: 'volumes: copies of the metadata on a physical volume',
    manual: `For *--format volumes*: copies of the metadata on a physical volume, 0 to 2.`,
  },
});
