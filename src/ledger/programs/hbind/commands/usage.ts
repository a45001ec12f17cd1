/** `hbind usage`. */
import type { Snapshot } from '../../../../htools/cluster/snapshot.ts';
import { describeStorage } from '../../../../htools/cluster/storage/storage.ts';
import type { DiskTemplate } from '../../../../htools/cluster/templates.ts';
import { fitOf, type NoFit } from '../../../../htools/planners/allocate/fill/how-many-fit.ts';
import { loadCluster, namesCluster } from '../../../../htools/programs/shared/cluster/load-cluster.ts';
import { allSaid } from '../../../../kit/cli/all-said.ts';
import type { InstanceSize } from '../../../../kit/cli/options/option.ts';
import { readSize } from '../../../../kit/cli/parse/read-value.ts';
import { InputError } from '../../../../kit/faults.ts';
import { readInput } from '../../../../kit/files/read-input.ts';
import { decodeUtf8 } from '../../../../kit/files/utf8.ts';
import { isSenselesslyNested } from '../../../../kit/json/json-document.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { texts } from '../../../../kit/report/text-table.ts';
import { type Reading, type Refreshed, refreshUsage } from '../../../binding/book/usage.ts';
import { usageOfCluster } from '../../../binding/cluster/group-usage.ts';
import { exhaustionWords } from '../../../binding/filters/filters.ts';
import type { Verdict } from '../../../binding/model/limits.ts';
import { isName, NAME_RULE } from '../../../binding/model/pod.ts';
import { type Usage, usageProblems } from '../../../binding/model/usage.ts';
import { allPods } from '../../../binding/tables/pods.ts';
import { badArgument, refuse } from '../../shared/access/ledger-url.ts';
import { podJson } from '../../shared/binding/json.ts';
import { parsedJson } from '../../shared/binding/read-events.ts';
import { reported } from '../../shared/document/ending.ts';
import { actorOf, type Command, type Options, withBook } from '../kit/context.ts';
import { readAffinity, readZone } from '../kit/read-words.ts';
import { fillWords, stateWord } from '../text/words.ts';

/** The question to the capacity planner, as the command line puts it. */
interface FitQuestion {
  readonly text: string;
  readonly size: InstanceSize;
  readonly template: DiskTemplate | undefined;
}

function readFitQuestion(options: Options, spec: string | undefined): FitQuestion | undefined {
  const { exhaustedBy, diskTemplateForFit: template } = options;
  if (exhaustedBy !== 'hspace') {
    if (spec !== undefined)
      throw badArgument(`hbind usage: '${spec}' is one argument too many`, 'say --exhausted-by hspace SPEC');
    return undefined;
  }
  if (spec === undefined)
    throw badArgument(
      '--exhausted-by hspace: the size of the instance is missing',
      'say for example: --exhausted-by hspace 20g,4g,2',
    );
  const reading = readSize('SPEC', spec);
  if ('fault' in reading)
    throw badArgument(`--exhausted-by hspace: ${reading.fault}`, 'write disk,memory,cpus such as 20g,4g,2');
  return { text: spec, size: reading.value, template };
}

/** The planner's failure modes are known by their names; what comes before them is said in words. */
const OBSTACLES: Partial<Record<NoFit, string>> = {
  'no-disk-template': 'the policy allows no disk template',
  'fails-n1-already': 'nodes fail N+1 already',
  'no-online-nodes': 'no online node takes instances',
  'not-enough-online-nodes': 'no two online nodes take instances',
};

function verdictOf(snapshot: Snapshot, group: number | undefined, question: FitQuestion): Verdict {
  const { memMib, diskMib, vcpus, spindleUse } = question.size;
  const { count, obstacle } = fitOf(
    snapshot,
    { memMib, diskMib, vcpus, spindles: spindleUse },
    {
      limit: 1,
      ...(group === undefined ? {} : { group }),
      ...(question.template === undefined ? {} : { diskTemplate: question.template }),
    },
  );
  const why = obstacle && (OBSTACLES[obstacle] ?? `most homes fail with ${obstacle}`);
  return { by: 'hspace', size: question.text, fits: count > 0, ...(count > 0 ? {} : { why }) };
}

/**
 * What a cluster says about its pods: one reading a node group, or one for all of it. @param pod only this
 * one; the name of the whole cluster where that is the pod. @throws {UsageError}
 */
function clusterReadings(
  snapshot: Snapshot,
  { podIs, pod }: Options,
  question: FitQuestion | undefined,
): readonly Reading[] {
  const storage = describeStorage(snapshot);
  const reading = (name: string, group: number | undefined, isClosed: boolean): Reading => ({
    pod: name,
    usage: usageOfCluster(snapshot, group, storage),
    verdict: question ? verdictOf(snapshot, group, question) : null,
    isClosed,
  });
  if (podIs === 'cluster') {
    if (pod === undefined)
      throw badArgument('--pod-is cluster: which pod is it?', 'give its name with --pod');
    return [reading(pod, undefined, false)];
  }
  const readings = snapshot.groups.flatMap(({ name, allocPolicy }, group) =>
    pod === undefined || name === pod ? [reading(name, group, allocPolicy === 'unallocable')] : [],
  );
  if (readings.length === 0)
    throw badArgument(
      `there is no node group '${pod}' in the cluster`,
      `these are: ${snapshot.groups.map(({ name }) => name).join(', ')}`,
    );
  return readings;
}

const EXAMPLE = 'write {"POD": {"memory": {"total": 1000, "used": 100}}}';

/** Readings by pod. @throws {InputError} with all faults of the file */
function readReadings(file: string): Readonly<Record<string, Usage | null>> {
  const text = decodeUtf8(readInput(file), file);
  if (isSenselesslyNested(text)) throw new InputError(file, [{ problem: 'is nested too deeply' }]);
  const value = parsedJson(text, file, EXAMPLE);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const problem = 'is not an object with one member for each pod';
    throw new InputError(file, [{ problem, remedy: EXAMPLE }]);
  }
  const problems = Object.entries(value).flatMap(([pod, usage]) => [
    ...(isName(pod) ? [] : [{ value: pod, problem: 'is not a name for a pod', remedy: NAME_RULE }]),
    ...usageProblems(usage, pod),
  ]);
  if (problems.length > 0) throw new InputError(file, problems);
  return value as Readonly<Record<string, Usage | null>>;
}

const COLUMNS = texts('Pod', 'State', 'Fullest', 'News');

/** Readings, and whether they come from a cluster, which may speak of groups that are no pods. */
async function readingsOf(options: Options, spec: string | undefined) {
  const { inputFile } = options;
  const question = readFitQuestion(options, spec);
  if (inputFile === undefined && !namesCluster(options))
    throw badArgument(
      'hbind usage: the readings are missing',
      'give a file of them with -f, or a cluster with -t, -m, -L, -I or --simulate',
    );
  if (inputFile === undefined)
    return { readings: clusterReadings(await loadCluster(options), options, question), isCluster: true };
  if (namesCluster(options)) throw badArgument('-f and a cluster both say what is used', 'give one of them');
  if (question || options.podIs === 'cluster')
    throw badArgument(
      '--exhausted-by hspace and --pod-is cluster need a cluster, not a file of readings',
      'name it with -t, -m, -L, -I or --simulate in place of -f',
    );
  const all = Object.entries(readReadings(inputFile)).map(([pod, usage]) => ({ pod, usage }));
  const readings = all.filter(({ pod }) => options.pod === undefined || pod === options.pod);
  if (options.pod !== undefined && readings.length === 0)
    throw badArgument(
      `there is no reading of '${options.pod}' in ${inputFile}`,
      `these are: ${all.map(({ pod }) => pod).join(', ') || 'none'}`,
    );
  return { readings, isCluster: false };
}

const NO_NEWS = '-';

function news({ before, after }: Refreshed): string {
  if (before === null) return 'new pod';
  if (before.state === 'open' && after.state === 'closed') return 'closed: its group takes no instances';
  if (!after.isExhausted) return before.isExhausted ? 'open again' : NO_NEWS;
  if (after.verdict && !after.verdict.fits) return `exhausted by ${exhaustionWords(after)}`;
  return before.isExhausted ? NO_NEWS : 'exhausted now';
}

export const usage: Command<'usage'> = async (options, [spec]) => {
  const [affinity, az = ''] = allSaid(
    () => readAffinity(options),
    () => readZone(options),
    () => actorOf(options),
    refuse(
      !options.addPods && (options.affinity.length > 0 || options.zone !== undefined),
      '--az and --affinity are for pods that --add makes',
      'use: hbind pod set',
    ),
  );
  const { readings, isCluster } = await readingsOf(options, spec);
  return withBook(options, async (book) => {
    const names = new Set((await book.store.read(allPods)).map(({ name }) => name));
    // What the cluster has and nobody called a pod is left out; what is asked for by its name is refused.
    const isLeftOut = isCluster && !options.addPods && options.pod === undefined;
    const isKnown = ({ pod }: Reading): boolean => !isLeftOut || names.has(pod);
    const others = readings.filter((one) => !isKnown(one)).map(({ pod }) => pod);
    const added = options.addPods ? { az, ...(affinity ? { affinity } : {}) } : undefined;
    const outcome = await refreshUsage(book, actorOf(options), readings.filter(isKnown), added);
    return reported(outcome, (refreshed) => {
      const facts = refreshed.map(({ before, after }) => ({
        ...podJson(after),
        wasExhausted: before?.isExhausted ?? null,
      }));
      const rows = facts.map((pod, at) => [pod.name, stateWord(pod), fillWords(pod), news(refreshed[at]!)]);
      const isNothing = rows.every(([, , , what]) => what === NO_NEWS);
      const unknown = `Note: no pod is called ${others.join(', ')}; --add makes pods of them\n`;
      return {
        text: rows.length === 0 ? 'No pod was read.\n' : reportTable('', COLUMNS, rows),
        isNothing,
        facts: { pods: facts, notPods: others },
        notes: others.length === 0 ? undefined : unknown,
      };
    });
  });
};
