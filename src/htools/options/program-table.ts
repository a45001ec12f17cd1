/**
 * The programs for clusters: what each is for, which options it takes (in the order of `--help-completion`,
 * which is a contract for the stock ones; ours follow them) and which arguments.
 */
import { anyNumber, NO_POSITIONALS, type ProgramDefinition } from '../../kit/cli/options/program.ts';
import { words } from '../../kit/cli/options/words.ts';
import { ADDED_SOURCES } from '../sources/list.ts';
import type { HTOOLS_OPTIONS } from './option-table.ts';

/** How live clusters are talked to. */
const TALK = 'rapiCredentials rapiCa rapiFingerprint rapiInsecure connectTimeout answerTimeout';
/** Sources of ours, and the same. */
export const READ = `${ADDED_SOURCES}${TALK}` as const;
const LOADS = 'load loadLabel loadUse loadWindow';
const EXECUTION =
  'execDryRun journal noJournal resume retry skipFailed wayHome parallel wait until calm exitStatus';
export const WHAT_IF = 'whatIf diff reserve';
const DEEP = 'search searchTime effort seed';
const WHY = 'explainSteps why tryMove';
export const FORM = 'json format outputFile';

/** What healing groups and emptying them have in common. */
const GROUP_WORK = words(`
      printCommands textFile rapiAddress luxiSocket iallocatorFile exec firstJobGroup jobReason offline staticKvmNodeMemory
      maxCpu minDisk exclusionTags save priority machineReadable verbose quiet group`);

export const HTOOLS_PROGRAMS = {
  hail: {
    summary: 'chooses nodes for Ganeti, as its instance allocator',
    examples: [
      ['hail request.json', 'answer a request that Ganeti wrote'],
      ['hail -t cluster.data request.json', 'place it on a saved cluster'],
      ['hail --explain=why.json request.json', 'and say why each node was taken or not'],
    ],
    endings: { done: 'there is an answer on standard output, even if it is a refusal' },
    stock: words(`
      printNodes save textFile simulate verbose ignoreDynu ignoreSoftErrors noCapacityChecks restrictAllocationTo mond
      isMonitoringPerInstance staticKvmNodeMemory`),
    ours: words(
      `allowIntergroup ${DEEP} explainFile stockFigures connectTimeout answerTimeout whatIf reserve`,
    ),
    positionals: {
      metavar: 'FILE',
      completion: 'file',
      min: 1,
      max: 1,
      tooFew: 'This program needs an input file.',
      tooMany: 'Only one argument is accepted (the input file)',
    },
  },
  hbal: {
    summary: 'balances a cluster: finds the steps that even out its nodes',
    examples: [
      ['hbal -L', 'what would even this cluster out'],
      ['hbal -L --budget=2h --html=plan.html', 'within two hours, and a page'],
      ['hbal -t cluster.data -C', 'of a saved cluster, with the commands'],
    ],
    endings: {
      done: 'the search ended, with or without steps; with *--exec*: all instances are where the plan promised them',
      left: 'with *--evac-mode*: instances stay on nodes that were to be emptied, and the output says which and why; with *--only-rules*: a rule is left broken',
    },
    stock: words(`
      printNodes printInstances printCommands textFile evacMode restrictedMigration rapiAddress luxiSocket iallocatorFile
      exec firstJobGroup jobReason group maxLength verbose quiet offline staticKvmNodeMemory minScore maxCpu
      minDisk minGain minGainLimit noDiskMoves selectInstances noInstanceMoves ignoreSoftErrors dynuFile
      ignoreDynu mond mondData exitOnMissingMondData isMonitoringPerInstance exclusionTags excludeInstances save
      priority`),
    ours: words(`
      allGroups requireGroup stockFigures ${DEEP} budget bound bandwidth price n1Guard jobs ${EXECUTION} config
      checkConfig history worth letRest ${LOADS} ${READ}
      ${WHAT_IF} ${WHY}
      onlyRules ledger ${FORM} html color`),
  },
  hcheck: {
    summary: 'checks the health of a cluster and whether balancing would help it',
    examples: [
      ['hcheck -L', 'is all well, and would balancing help'],
      ['hcheck -L -q', 'the exit status alone, for monitoring'],
      ['hcheck -L --lint', 'are the tags that steer it any good'],
    ],
    endings: {
      done: 'nothing is wrong, or *--no-simulation* was given',
      no: 'the cluster needs balancing',
      left: 'with *--lint*: something was found',
    },
    stock: words(`
      textFile noDiskMoves dynuFile ignoreDynu evacMode excludeInstances exclusionTags iallocatorFile
      noInstanceMoves luxiSocket machineReadable maxCpu maxLength minDisk minGain minGainLimit minScore
      ignoreSoftErrors noSimulation offline quiet rapiAddress selectInstances noCapacityChecks verbose`),
    ours: words(`jobs config ${LOADS} ${READ} ${WHAT_IF} ${WHY} lint exitStatus ${FORM} color`),
  },
  hcompress: {
    summary: 'finds node groups that can be emptied and given back',
    examples: [
      ['hcompress -L', 'which node groups can be given back'],
      ['hcompress -L -G rack-c', 'may this one be switched off'],
      ['hcompress -L --evacuate -C', 'the moves that empty the first one'],
    ],
    endings: {
      done: 'the search ended; with *--check*: no group could be given back',
      left: 'with *--check*: a group could be given back',
    },
    stock: GROUP_WORK,
    ours: words(`
      selectGroups excludeGroups check evacuate all config ${DEEP} bandwidth price ${EXECUTION} ${READ} ${WHAT_IF}
      ${WHY}
      ${FORM} html`),
  },
  hredist: {
    summary: 'heals node groups by moving instances to healthy ones',
    examples: [
      ['hredist -L', 'moves that bring groups back to health'],
      ['hredist -L --group=rack2 -C', 'of this group, with the commands'],
      ['hredist -L --why=web1', 'which groups would take this instance'],
    ],
    endings: { done: 'the search ended, even if there was nothing to do or nothing could be done' },
    stock: GROUP_WORK,
    ours: words(`
      selectGroups excludeGroups ${DEEP} bandwidth price ${EXECUTION} ${READ} ${WHAT_IF} ${WHY} ${FORM} html`),
  },
  harep: {
    summary: 'repairs instances whose nodes are gone, as far as their tags allow it',
    examples: [
      ['harep -L --dry-run', 'what would be repaired'],
      ['harep -L', 'repair it; meant for cron'],
      ['harep -L --instance-tags=prod', 'only instances with this tag'],
    ],
    endings: {
      done: 'all instances were processed',
      no: 'tags contradict each other, or a job that writes tags failed',
      left: 'the time limit or a signal left something undone',
      changed: 'an execution on the cluster did not end (*--wait*), and nothing was done',
    },
    stock: words('luxiSocket jobDelay jobReason repairDryRun'),
    ours: words(
      `verbose quiet textFile instanceTags repairTimeLimit wait config connectTimeout answerTimeout ${FORM}`,
    ),
    positionals: { ...NO_POSITIONALS, tooMany: "this program doesn't take any arguments." },
  },
  hroller: {
    summary: 'plans in which rounds the nodes of a cluster can be rebooted',
    examples: [
      ['hroller -L', 'in which rounds nodes can be rebooted'],
      ['hroller -L --node-tags=c --plan', 'of the nodes with tag c, step by step'],
      ['hroller -L --why=node3', 'why this node is in its round'],
    ],
    endings: {
      done: 'the rounds are printed',
      no: 'there are none (instances cannot leave, or no node is left), the master node is not known, or a rebooted node did not come back',
      left: 'with *--plan*: nodes are left out because something there is to be left alone, and standard error says which and why',
    },
    stock: words(`
      luxiSocket rapiAddress textFile iallocatorFile offline offlineMaintenance verbose quiet noHeaders nodeTags save group
      printMoves fullEvacuation skipNonRedundant ignoreNonRedundant force oneStepOnly staticKvmNodeMemory`),
    ours: words(`
      printCommands exec jobReason priority fewest plan bandwidth price rebootCommand rebootTimeout ${EXECUTION} ${READ}
      ${WHAT_IF} explainRounds whyNode tryRound ${FORM}`),
  },
  hsqueeze: {
    summary: 'finds nodes that can be switched off, or that must be switched on again',
    examples: [
      ['hsqueeze -L', 'which nodes can be switched off'],
      ['hsqueeze -t cluster.data -C', 'of a saved cluster, with the commands'],
      ['hsqueeze -L --target-resources=4', 'leave room for four standard instances'],
    ],
    endings: { done: 'what is to be done was printed, even if that is nothing' },
    stock: words(`
      luxiSocket textFile exec minimalResources targetResources save printCommands verbose noHeaders
      staticKvmNodeMemory`),
    ours: words(
      `jobReason priority exactSqueeze ${EXECUTION} stockFigures connectTimeout answerTimeout ${WHAT_IF} ${FORM}`,
    ),
  },
  hspread: {
    summary: 'evens out load over the node groups of a cluster',
    examples: [
      ['hspread -L', 'moves that take load off busy groups'],
      ['hspread -L --load=cpu=prom.json', 'by loads that Prometheus measured'],
      ['hspread -L --disk-moves -C', 'with DRBD instances, and the commands'],
    ],
    endings: { done: 'the search ended, with or without moves' },
    stock: words(`
      printCommands textFile rapiAddress luxiSocket iallocatorFile exec firstJobGroup jobReason dynuFile ignoreDynu mond
      mondData exitOnMissingMondData isMonitoringPerInstance maxLength minScore minGain minGainLimit
      selectInstances excludeInstances offline staticKvmNodeMemory maxCpu minDisk exclusionTags save priority
      machineReadable verbose quiet group`),
    ours: words(`
      selectGroups excludeGroups diskMoves outlier ${DEEP} bandwidth price ${EXECUTION} ${LOADS} ${READ} ${WHAT_IF}
      ${WHY} ${FORM} html`),
  },
  hinfo: {
    summary: 'shows the state of a cluster and its groups',
    examples: [
      ['hinfo -L', 'what there is, and what is wrong with it'],
      ['hinfo -L --n1', 'what it can lose, and the fullest nodes'],
      ['hinfo -L --what-if="drain node n3"', 'what it would be without that node'],
    ],
    endings: { done: 'the cluster was shown, in whatever state it is' },
    stock: words(`
      printNodes printInstances textFile rapiAddress luxiSocket iallocatorFile verbose quiet offline ignoreDynu mond mondData
      staticKvmNodeMemory`),
    ours: words(`groups storage n1 ${READ} ${WHAT_IF} ${FORM} html color`),
  },
  hspace: {
    summary: 'computes how many more instances a cluster can hold',
    examples: [
      ['hspace -L', 'how many more instances fit'],
      ['hspace -L --standard-alloc=50g,8g,4', 'of this size: disk, memory, cpus'],
      ['hspace -L --explain', 'and what stops the next one'],
    ],
    endings: { done: 'the space was computed, even if there is none' },
    stock: words(`
      printNodes textFile diskTemplate spindleUse simulate rapiAddress luxiSocket iallocatorFile verbose quiet
      independentGroups acceptExistingErrors offline noCapacityChecks machineReadable maxCpu maxLength minDisk
      standardAlloc tieredAlloc save staticKvmNodeMemory`),
    ours: words(`
      storagePool stockFigures afterBalancing ${DEEP} jobs explain ${READ} ${WHAT_IF} ${FORM} html color`),
  },
  hscan: {
    summary: 'saves snapshots of live clusters, and summarizes each in one line',
    examples: [
      ['hscan -L', 'save the cluster of this master node'],
      ['hscan c1.example.com c2.example.com', 'two clusters over RAPI'],
      ['hscan -d /var/backups -L', 'into this folder'],
    ],
    endings: { done: 'all clusters were read and saved', someFailed: 'one of the clusters failed' },
    stock: words('printNodes outputDir luxiSocket verbose noHeaders staticKvmNodeMemory'),
    ours: words(`${TALK} exitStatus ${FORM} color`),
    positionals: { ...anyNumber('CLUSTER', 'host'), max: Number.POSITIVE_INFINITY },
  },
} as const satisfies Record<string, ProgramDefinition<keyof typeof HTOOLS_OPTIONS>>;
