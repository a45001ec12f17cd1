/** Where a cluster and its load come from; the sources say their own options. */
import { FILE, optionTable, repeated } from '../../kit/cli/options/option-table.ts';
import { SOURCE_ENTRIES } from '../sources/list.ts';

export const SOURCE_OPTIONS = optionTable('input', {
  ...SOURCE_ENTRIES,
  dynuFile: {
    short: 'U',
    ...FILE,
    group: 'load',
    help: 'read the loads of the instances from FILE',
    manual: `Reads the load of each instance from _FILE_, one line per instance: its name, then its cpu, memory, disk and network load,
separated by spaces. The numbers have no unit; only their proportion matters. Instances that the cluster does not have are ignored.`,
  },
  load: {
    ...repeated('[RESOURCE=]FILE'),
    completion: 'file',
    group: 'load',
    isEveryday: true,
    help: 'read measured loads: JSON lines or Prometheus',
    manual: `Reads measured loads from _FILE_; may be given several times. Either JSON lines with *instance*, and any of *cpu*, *memory*, *disk*, *net* and
*time* (seconds since 1970, or ISO 8601); or what Prometheus answers to a query, instant or over a range: _RESOURCE_ (*cpu*, *memory*, *disk* or *net*) then
says what was measured, unless a label *resource* does. Several samples of an instance become one value: see *--load-use* and *--load-window*. What is not
measured comes from *--dynu-file*, or counts as 1. With *--mond*, the daemons' cpu loads have the last word. *--print-instances* with *--json* says for each
instance where each of its loads comes from.`,
  },
  loadLabel: {
    metavar: 'LABEL',
    group: 'load',
    help: 'label of Prometheus that has the names of instances',
    manual: `For answers of Prometheus: the label that has the names of instances; *instance* unless given.`,
  },
  loadUse: {
    metavar: 'VALUE',
    choices: ['mean', 'p95'],
    group: 'load',
    help: 'what becomes of several samples: their mean, or the value that 95 % do not exceed (p95)',
    manual: `What becomes of several samples of an instance: their *mean*, as without this option, or *p95*, the value that 95 % of them do not exceed.`,
  },
  loadWindow: {
    metavar: 'TIME',
    group: 'load',
    help: 'leave out samples older than TIME (90s, 10m, 2h, 7d), counted from the newest',
    manual: `Leaves out samples that are older than _TIME_ (*90s*, *10m*, *2h*, *7d*), counted from the newest of all. Without it all count.`,
  },
  ignoreDynu: {
    group: 'load',
    help: 'treat every load as zero',
    manual: `Treats the load of every instance as zero, whatever the input says. Without this option, an instance of unknown load counts as 1 for each
of cpu, memory, disk and network.`,
  },
  mond: {
    kind: 'yes-no',
    metavar: 'CHOICE',
    group: 'load',
    help: 'use the cpu loads that the monitoring daemons report',
    manual: `Uses the cpu loads that the monitoring daemons of the nodes report. All of them are asked at once, by the nodes' names, on port 1815, within the
limits of *--connect-timeout* and *--answer-timeout*; *--mond-data* reads their reports from a file instead. Either every node has a report, or none
is used and a warning says why.`,
  },
  mondData: {
    ...FILE,
    group: 'load',
    help: 'read the reports of the monitoring daemons from FILE',
    manual: `Reads the reports of the monitoring daemons from _FILE_, a JSON list with one entry per node. It has an effect only with *--mond*.`,
  },
  exitOnMissingMondData: {
    group: 'load',
    help: 'end with an error when a node has no monitoring report',
    manual: `Ends with an error when the monitoring data is incomplete. Without this option, incomplete data is ignored.`,
  },
  isMonitoringPerInstance: {
    name: 'mond-xen',
    group: 'load',
    help: 'use the cpu loads that Xen reports for each instance',
    manual: `Uses the Xen collector of the monitoring daemons, which knows the cpu load of each instance, instead of the load of whole nodes.
It has an effect only with *--mond*.`,
  },
  ledger: {
    metavar: 'URL',
    completion: 'file',
    help: 'count as used what the ledger of claims at URL has promised and nobody has built yet',
    manual: `Counts as used what the ledger of claims at _URL_ (see *hclaim*(1)) has promised but the cluster does not show yet: new instances, and
moves that were claimed but not made.`,
  },
});
