/** What hail received (`-v`, `-v -v`), in stock's notation: `runSt = StatusDown` is looked for in logs. */
import { showDouble, showInt, showList, showString } from '../../../kit/text/numbers.ts';
import type { IallocatorRequest, NewInstance } from '../../cluster/iallocator-request.ts';
import type { Instance, InstanceStatus, Snapshot } from '../../cluster/snapshot.ts';
import { showTemplate } from '../../cluster/templates.ts';
import { showRecord } from '../shared/listings/policy-text.ts';

const STATUS_CONSTRUCTORS: Record<InstanceStatus, string> = {
  running: 'Running',
  ADMIN_down: 'StatusDown',
  ADMIN_offline: 'StatusOffline',
  ERROR_down: 'ErrorDown',
  ERROR_nodedown: 'NodeDown',
  ERROR_nodeoffline: 'NodeOffline',
  ERROR_up: 'ErrorUp',
  ERROR_wrongnode: 'WrongNode',
  USER_down: 'UserDown',
};
const EVACUATION_CONSTRUCTORS = {
  'primary-only': 'ChangePrimary',
  'secondary-only': 'ChangeSecondary',
  all: 'ChangeAll',
} as const;

const showFlag = (flag: boolean): string => (flag ? 'True' : 'False');
const showMaybe = (shown: string | undefined): string => (shown === undefined ? 'Nothing' : `Just ${shown}`);
/** A constructor's argument: what has a sign stands in parentheses. */
const showArgument = (shown: string): string =>
  shown.startsWith('-') || shown.includes(' ') ? `(${shown})` : shown;
const showPositions = (positions: readonly number[]): string => showList(positions.map(showInt));

function showInstance(instance: Instance): string {
  const { cpu, mem, disk, net } = instance.utilisation;
  const disks = instance.disks.map(({ sizeMib, spindles }) =>
    showRecord('Disk', [
      ['dskSize', showInt(sizeMib)],
      ['dskSpindles', showMaybe(spindles === undefined ? undefined : showInt(spindles))],
    ]),
  );
  const nics = instance.nics.map(({ network }) =>
    showRecord('Nic', [['network', showMaybe(network === undefined ? undefined : showString(network))]]),
  );
  const weights = showRecord('DynUtil', [
    ['cpuWeight', showDouble(cpu)],
    ['memWeight', showDouble(mem)],
    ['dskWeight', showDouble(disk)],
    ['netWeight', showDouble(net)],
  ]);
  return showRecord('Instance', [
    ['name', showString(instance.name)],
    ['alias', showString(instance.alias)],
    ['mem', showInt(instance.memMib)],
    ['dsk', showInt(instance.diskMib)],
    ['disks', showList(disks)],
    ['vcpus', showInt(instance.vcpus)],
    ['runSt', STATUS_CONSTRUCTORS[instance.status]],
    ['pNode', showInt(instance.primary)],
    ['sNode', showInt(instance.secondary)],
    ['idx', showInt(instance.index)],
    ['util', weights],
    ['movable', showFlag(instance.isMovable)],
    ['autoBalance', showFlag(instance.isAutoBalanced)],
    ['diskTemplate', showTemplate(instance.diskTemplate)],
    ['spindleUse', showInt(instance.spindleUse)],
    ['allTags', showList(instance.tags.map(showString))],
    ['exclTags', showList(instance.exclusionTags.map(showString))],
    ['nics', showList(nics)],
    ['forthcoming', showFlag(instance.isForthcoming)],
  ]);
}

const showDetails = ({ requiredNodes, groupName }: NewInstance): string =>
  `AllocDetails ${showInt(requiredNodes)} ${showArgument(showMaybe(groupName === undefined ? undefined : showString(groupName)))}`;

const showWanted = (wanted: NewInstance): string =>
  `(${showInstance(wanted.instance)}) (${showDetails(wanted)})`;

function showRequest(request: IallocatorRequest): string {
  switch (request.type) {
    case 'allocate': {
      const nodes = request.restrictToNodes && showList(request.restrictToNodes.map(showString));
      return `Allocate ${showWanted(request.wanted)} ${showArgument(showMaybe(nodes))}`;
    }
    case 'allocate-secondary':
      return `AllocateSecondary ${showInt(request.instance)}`;
    case 'relocate':
      return `Relocate ${showInt(request.instance)} ${showInt(request.requiredNodes)} ${showPositions(request.relocateFrom)}`;
    case 'node-evacuate':
      return `NodeEvacuate ${showPositions(request.instances)} ${EVACUATION_CONSTRUCTORS[request.mode]}`;
    case 'change-group':
      return `ChangeGroup ${showPositions(request.targetGroups)} ${showPositions(request.instances)}`;
    case 'multi-allocate':
      return `MultiAllocate ${showList(request.wanted.map((one) => `(${showInstance(one.instance)},${showDetails(one)})`))}`;
  }
}

/** Verbosity from which on the instances of the cluster are shown, too. */
const CLUSTER = 3;

export function receivedText(verbosity: number, request: IallocatorRequest, { instances }: Snapshot): string {
  const lines = [`Received request: ${showRequest(request)}`];
  if (verbosity >= CLUSTER)
    lines.push(`Received cluster data: ${instances.length} instances`, ...instances.map(showInstance));
  return lines.map((line) => `${line}\n`).join('');
}
