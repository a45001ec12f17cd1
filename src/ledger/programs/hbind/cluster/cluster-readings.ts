/** What a cluster says about its pods: one reading a node group, or one for all of it. */
import type { Snapshot } from '../../../../htools/cluster/snapshot.ts';
import { describeStorage } from '../../../../htools/cluster/storage/storage.ts';
import { DISK_TEMPLATES, type DiskTemplate } from '../../../../htools/cluster/templates.ts';
import { fitOf, type NoFit } from '../../../../htools/planners/allocate/fill/how-many-fit.ts';
import type { InstanceSize } from '../../../../kit/cli/options/option.ts';
import { readValue } from '../../../../kit/cli/parse/read-value.ts';
import type { Reading } from '../../../binding/book/usage.ts';
import { usageOfCluster } from '../../../binding/cluster/group-usage.ts';
import type { Verdict } from '../../../binding/model/limits.ts';
import { badArgument } from '../../shared/access/ledger-url.ts';
import type { Options } from '../kit/context.ts';

/** The question to the capacity planner, as the command line puts it. */
interface FitQuestion {
  readonly text: string;
  readonly size: InstanceSize;
  readonly template: DiskTemplate | undefined;
}

/** As hspace takes it. */
const SIZE = {
  name: 'SPEC',
  kind: 'size',
  argument: 'required',
  completion: 'string',
  group: 'binding',
  help: '',
  manual: '',
} as const;

export function readFitQuestion(options: Options, spec: string | undefined): FitQuestion | undefined {
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
  const reading = readValue(SIZE, spec, undefined);
  if ('fault' in reading)
    throw badArgument(`--exhausted-by hspace: ${reading.fault}`, 'write disk,memory,cpus such as 20g,4g,2');
  if (template !== undefined && !(DISK_TEMPLATES as readonly string[]).includes(template))
    throw badArgument(
      `--fit-template: '${template}' is not a disk template`,
      `these are: ${DISK_TEMPLATES.join(', ')}`,
    );
  return { text: spec, size: reading.value as InstanceSize, template: template as DiskTemplate | undefined };
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

/** @param pod only this one; the name of the whole cluster where that is the pod. @throws {UsageError} */
export function clusterReadings(
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
  const readings = snapshot.groups
    .map(({ name, allocPolicy }, group) => ({ name, group, isClosed: allocPolicy === 'unallocable' }))
    .filter(({ name }) => pod === undefined || name === pod)
    .map(({ name, group, isClosed }) => reading(name, group, isClosed));
  if (readings.length === 0)
    throw badArgument(
      `there is no node group '${pod}' in the cluster`,
      `these are: ${snapshot.groups.map(({ name }) => name).join(', ')}`,
    );
  return readings;
}
