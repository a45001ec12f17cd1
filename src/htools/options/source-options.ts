/** Where a cluster and its load come from (sources say their own options), how live ones are talked to. */
import { FILE, float, integer, listed, optionTable, repeated } from '../../kit/cli/options/option-table.ts';
import { MAX_MIB, MAX_RATIO } from '../../kit/ranges.ts';
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
*time* (seconds since 1970, or ISO 8601 with a zone); or what Prometheus answers to a query, instant or over a range: _RESOURCE_ (*cpu*, *memory*, *disk* or *net*) then
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

/** A day; timers take no more than 24 of them. */
const LONGEST_SECONDS = 86_400;

export const LIVE_OPTIONS = optionTable('connection', {
  rapiCredentials: {
    ...FILE,
    help: 'name and password for RAPI, from FILE in the format of ~/.netrc',
    manual: `Reads names and passwords for RAPI from _FILE_, in the format of *netrc*(5): *machine* _HOST_ *login* _NAME_ *password* _WORD_, or *default* instead
of *machine* _HOST_. Only its owner may be able to read the file. The environment variable *EVENKEEL_RAPI_CREDENTIALS* can also name such a file.
An ordinary cluster can be read without credentials. Passwords do not belong on a command line, where everybody on the machine can see them.`,
  },
  rapiCa: {
    ...FILE,
    help: 'trust only RAPI servers whose certificate is signed by one in FILE (PEM)',
    manual: `Trusts a RAPI server only when its certificate is signed by one of those in _FILE_ (PEM) and carries its name.`,
  },
  rapiFingerprint: {
    ...repeated('SHA256'),
    help: 'trust only the RAPI server whose certificate has this SHA-256 fingerprint (may be repeated)',
    manual: `Trusts a RAPI server only when its certificate has this SHA-256 fingerprint, with or without colons; nothing is sent to any other server. May be
given several times, for several clusters. On the master node, *openssl x509 -noout -fingerprint -sha256 -in /var/lib/ganeti/rapi.pem* prints it.`,
  },
  rapiInsecure: {
    help: 'send name and password to any RAPI server, whatever its certificate',
    manual: `Sends name and password to any RAPI server, as the stock programs do. Without this option, *--rapi-ca* and *--rapi-fingerprint*, they are
sent only to a server whose certificate one of the authorities that Node knows stands behind; Ganeti's own are self-signed.`,
  },
  connectTimeout: {
    ...float('SECONDS', { above: 0, atMost: LONGEST_SECONDS }),
    default: 15,
    unit: 's',
    help: 'give up when a server does not accept the connection within SECONDS',
    manual: `Gives up when a server does not accept the connection within _SECONDS_.`,
  },
  answerTimeout: {
    ...float('SECONDS', { above: 0, atMost: LONGEST_SECONDS }),
    default: 60,
    unit: 's',
    help: 'give up when a server has not answered a request within SECONDS',
    manual: `Gives up when the complete answer to a request has not arrived within _SECONDS_. Each request has this much time. An execution also waits so long for a master that is away.`,
  },
});

export const CLUSTER_OPTIONS = optionTable('input', {
  offline: {
    short: 'O',
    ...repeated('NODE'),
    completion: 'onenode',
    help: 'treat NODE as offline (may be repeated)',
    manual: `Treats _NODE_ as offline: it gets nothing new, and its instances should leave. May be given several times. A name may be shortened
as long as it is unambiguous.`,
  },
  staticKvmNodeMemory: {
    ...integer('N', { atLeast: 0, atMost: MAX_MIB }),
    default: 4096,
    unit: 'MiB',
    label: 'static node memory',
    help: 'memory in MiB that a KVM node keeps; 0 takes what it reports',
    manual: `Memory in MiB that a node under KVM keeps for itself. The figure that such a node reports grows with its instances and is of little use;
*0* uses it nevertheless. Matters only for input that names the hypervisor.`,
  },
  exclusionTags: {
    ...listed('TAG,...'),
    group: 'limits',
    help: 'keep instances that share a tag with one of these prefixes on different nodes',
    manual: `Instances that share a tag starting with one of these prefixes (and a colon) should not have the same primary node. They are added
to the prefixes that the cluster's tags *htools:iextags:*_PREFIX_ name.`,
  },
  maxCpu: {
    ...float('RATIO', {
      above: 0,
      atMost: MAX_RATIO,
      fault: 'Invalid value of the max-cpu ratio, expected >0',
    }),
    unit: 'virtual cpus per cpu',
    label: 'parsing max-cpu',
    group: 'limits',
    help: 'virtual cpus allowed per physical cpu, instead of the policy',
    manual: `Virtual cpus allowed per physical cpu, more than 0. Overrides the group's policy.`,
  },
  minDisk: {
    ...float('RATIO', { atLeast: 0, atMost: 1, remedy: 'give a share from 0 to 1: 0.2 for 20 %' }),
    default: 0,
    label: 'min free disk space',
    group: 'limits',
    help: 'share of its disk, from 0 to 1, that every node keeps free',
    manual: `Share of its disk, from 0 to 1, that every node keeps free.`,
  },
});
