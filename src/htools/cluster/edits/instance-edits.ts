/** Edits of instances: add, remove, resize, move. */
import { itemFault, nameFault } from '../../../kit/name-faults.ts';
import { LOAD } from '../../../kit/ranges.ts';
import { BASE_UTILISATION, INSTANCE_STATUSES, NO_NODE, type RawInstance } from '../snapshot.ts';
import { DISK_TEMPLATES, hasSecondary } from '../templates.ts';
import type { Draft } from './draft.ts';
import { count, type EditLine, number, size } from './edit-line.ts';

/** Sizes of an instance by the words of the edits. */
const SIZES = { memory: size(1), disk: size(), vcpus: count(1), spindles: count() };

/** What an instance is made of before its settings are read. */
const SMALL: RawInstance = {
  index: 0,
  name: '',
  memMib: 1024,
  diskMib: 10240,
  disks: [{ sizeMib: 10240 }],
  vcpus: 1,
  status: 'running',
  isAutoBalanced: true,
  primary: NO_NODE,
  secondary: NO_NODE,
  diskTemplate: 'drbd',
  spindleUse: 1,
  tags: [],
  nics: [],
  isForthcoming: false,
};

/** The record with the sizes of the line; undefined after a complaint. */
function resized(instance: RawInstance, edit: EditLine): RawInstance | undefined {
  const { memMib, diskMib, vcpus, spindleUse, disks } = instance;
  const before = { memory: memMib, disk: diskMib, vcpus, spindles: spindleUse };
  const after = edit.amounts(before, SIZES);
  return (
    after && {
      ...instance,
      memMib: after.memory,
      diskMib: after.disk,
      vcpus: after.vcpus,
      spindleUse: after.spindles,
      disks: edit.settings.has('disk') ? [{ ...disks[0], sizeMib: after.disk }] : disks,
    }
  );
}

/** The record on the nodes that the line names; undefined after a complaint. */
function placed(draft: Draft, instance: RawInstance, edit: EditLine): RawInstance | undefined {
  const primaryName = edit.settings.get('primary');
  const secondaryName = edit.settings.get('secondary');
  const primary = primaryName === undefined ? instance.primary : draft.node(primaryName, 'primary', edit);
  const secondary =
    secondaryName === undefined ? instance.secondary : draft.node(secondaryName, 'secondary', edit);
  if (primary === undefined || secondary === undefined) return undefined;
  const needsSecondary = hasSecondary(instance.diskTemplate);
  const say = (field: string, problem: string, remedy: string): undefined =>
    edit.complain(field, edit.settings.get(field), problem, remedy);
  if (primary === NO_NODE) return say('primary', 'is not said', 'write primary=NODE');
  if (needsSecondary && secondary === NO_NODE)
    return say(
      'secondary',
      `is not said, and template ${instance.diskTemplate} needs one`,
      'write secondary=NODE',
    );
  if (!needsSecondary && secondaryName !== undefined)
    return say('secondary', `is no use to template ${instance.diskTemplate}`, 'leave it out');
  if (primary === secondary) return say('secondary', 'is the primary as well', 'name two nodes');
  return { ...instance, primary, secondary: needsSecondary ? secondary : NO_NODE };
}

export function addInstance(draft: Draft, edit: EditLine): undefined {
  const name = edit.names[0]!;
  const wrong = nameFault(name);
  if (wrong) return edit.complain('name', name, wrong.problem, wrong.remedy);
  if (draft.hasInstance(name))
    return edit.complain('name', name, 'is an instance already', 'choose another name');
  const likeName = edit.settings.get('like');
  const like = likeName === undefined ? undefined : draft.instance(likeName, 'like', edit);
  if (likeName !== undefined && like === undefined) return;
  const model =
    like === undefined ? SMALL : { ...draft.instances[like]!, primary: NO_NODE, secondary: NO_NODE };
  const templateWord = edit.settings.get('template') ?? model.diskTemplate;
  const template = edit.oneOf(DISK_TEMPLATES, templateWord, 'template', 'disk template');
  if (template === undefined) return;
  const statusWord = edit.settings.get('status') ?? model.status;
  const status = edit.oneOf(INSTANCE_STATUSES, statusWord, 'status', 'state of an instance');
  if (status === undefined) return;
  const tags = edit.settings
    .get('tags')
    ?.split(',')
    .filter((tag) => tag !== '');
  for (const tag of tags ?? []) {
    const fault = itemFault(tag);
    if (fault) return edit.complain('tags', tag, fault.problem, fault.remedy);
  }
  const sized = resized({ ...model, name, diskTemplate: template }, edit);
  const home = sized && placed(draft, sized, edit);
  if (!home) return;
  const instance: RawInstance = { ...home, status, tags: tags ?? home.tags };
  draft.instances.push(instance);
  draft.book(instance, 1);
}

export function removeInstances(draft: Draft, edit: EditLine): undefined {
  for (const name of edit.names) {
    const at = draft.instance(name, 'name', edit);
    if (at === undefined) continue;
    const record = draft.instances[at]!;
    draft.dropInstances((instance) => instance === record);
  }
}

export function resizeInstance(draft: Draft, at: number, edit: EditLine): undefined {
  const after = resized(draft.instances[at]!, edit);
  if (after) draft.replaceInstance(at, after);
}

/** Wherever it is put; no rule is asked. */
export function moveInstance(draft: Draft, at: number, edit: EditLine): undefined {
  const after = placed(draft, draft.instances[at]!, edit);
  if (after) draft.replaceInstance(at, after);
}

/** Loads of an instance by the words of the edits. */
const LOADS = { cpu: number(LOAD), memory: number(LOAD), disk: number(LOAD), net: number(LOAD) };

/** Its load, in place of what was read. */
export function loadInstance(draft: Draft, at: number, edit: EditLine): undefined {
  const instance = draft.instances[at]!;
  const { cpu, mem, disk, net } = instance.utilisation ?? BASE_UTILISATION;
  const after = edit.amounts({ cpu, memory: mem, disk, net }, LOADS);
  if (!after) return;
  const utilisation = { cpu: after.cpu, mem: after.memory, disk: after.disk, net: after.net };
  draft.instances[at] = { ...instance, utilisation };
}
