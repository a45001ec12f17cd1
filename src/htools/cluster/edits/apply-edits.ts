/** Changes a cluster as `--what-if` says, ahead of all planning: as if the saved one had been edited. */
import { InputError, type InputProblem } from '../../../kit/faults.ts';
import { METRIC_NAMES } from '../metric-table.ts';
import type { RawSnapshot } from '../snapshot.ts';
import { Draft } from './draft.ts';
import { type EditLine, editLines } from './edit-line.ts';
import * as I from './instance-edits.ts';
import * as N from './node-edits.ts';
import { reserveNode } from './reserve.ts';
import * as S from './setting-edits.ts';

type Run = (draft: Draft, edit: EditLine) => undefined;

/** A change of the one thing that a line names. */
const of =
  (what: 'group' | 'node' | 'instance', run: (draft: Draft, at: number, edit: EditLine) => undefined): Run =>
  (draft, edit) => {
    const at = draft[what](edit.names[0]!, 'name', edit);
    if (at !== undefined) run(draft, at, edit);
  };

interface Action {
  readonly run: Run;
  /** Fewest words that name something. */
  readonly names: number;
  readonly most: number;
  /** The settings it knows; at least one of them where `needs` says so. */
  readonly settings: readonly string[];
  readonly needs?: boolean;
  /** How it is written. */
  readonly form: string;
}

const MANY = Number.MAX_SAFE_INTEGER;
const PLACE = ['primary', 'secondary'];
const SIZES = ['memory', 'disk', 'vcpus', 'spindles'];
const POLICY = ['vcpu-ratio', 'spindle-ratio', 'templates'];

// biome-ignore format: a table
const ACTIONS: Readonly<Record<string, Action>> = {
  'add nodes': { run: N.addNodes, names: 0, most: 3, settings: ['like', 'group', 'name'], form: 'add nodes 3 like NODE [group=GROUP] [name=NAME]' },
  'add node': { run: N.addNodes, names: 0, most: 2, settings: ['like', 'group', 'name'], form: 'add node like NODE [group=GROUP] [name=NAME]' },
  'remove node': { run: of('node', N.removeNode), names: 1, most: 2, settings: [], form: 'remove node NODE [with-instances]' },
  'remove group': { run: of('group', N.removeGroup), names: 1, most: 2, settings: [], form: 'remove group GROUP [with-instances]' },
  'drain node': { run: N.drainNode(true), names: 1, most: MANY, settings: [], form: 'drain node NODE...' },
  'drain group': { run: of('group', N.drainGroup(true)), names: 1, most: 1, settings: [], form: 'drain group GROUP' },
  'undrain node': { run: N.drainNode(false), names: 1, most: MANY, settings: [], form: 'undrain node NODE...' },
  'undrain group': { run: of('group', N.drainGroup(false)), names: 1, most: 1, settings: [], form: 'undrain group GROUP' },
  'resize node': { run: of('node', N.resizeNode), names: 1, most: 1, settings: ['memory', 'disk', 'cpus', 'spindles'], needs: true, form: 'resize node NODE [memory=+4g] [disk=] [cpus=] [spindles=]' },
  'add instance': { run: I.addInstance, names: 1, most: 1, settings: [...PLACE, ...SIZES, 'like', 'template', 'tags', 'status'], form: 'add instance NAME primary=NODE [secondary=NODE] [like=INSTANCE] [memory=4g] [disk=20g] [vcpus=2] [spindles=1] [template=drbd] [tags=A,B] [status=running]' },
  'remove instance': { run: I.removeInstances, names: 1, most: MANY, settings: [], form: 'remove instance INSTANCE...' },
  'resize instance': { run: of('instance', I.resizeInstance), names: 1, most: 1, settings: SIZES, needs: true, form: 'resize instance INSTANCE [memory=+1g] [disk=] [vcpus=] [spindles=]' },
  'load instance': { run: of('instance', I.loadInstance), names: 1, most: 1, settings: ['cpu', 'memory', 'disk', 'net'], needs: true, form: 'load instance INSTANCE [cpu=2] [memory=] [disk=+0.5] [net=]' },
  'move instance': { run: of('instance', I.moveInstance), names: 1, most: 1, settings: PLACE, needs: true, form: 'move instance INSTANCE primary=NODE [secondary=NODE]' },
  'tag cluster': { run: S.tagCluster, names: 0, most: 0, settings: [], form: 'tag cluster +TAG -TAG' },
  'tag group': { run: of('group', S.tagOf('group')), names: 1, most: 1, settings: [], form: 'tag group GROUP +TAG -TAG' },
  'tag node': { run: of('node', S.tagOf('node')), names: 1, most: 1, settings: [], form: 'tag node NODE +TAG -TAG' },
  'tag instance': { run: of('instance', S.tagOf('instance')), names: 1, most: 1, settings: [], form: 'tag instance INSTANCE +TAG -TAG' },
  'policy group': { run: of('group', S.policyOfGroup), names: 1, most: 1, settings: [...POLICY, 'allocation'], needs: true, form: 'policy group GROUP [vcpu-ratio=] [spindle-ratio=] [templates=] [allocation=]' },
  'policy cluster': { run: S.policyOfCluster, names: 0, most: 0, settings: POLICY, needs: true, form: 'policy cluster [vcpu-ratio=] [spindle-ratio=] [templates=]' },
  'weight metric': { run: S.weighMetrics, names: 0, most: 0, settings: METRIC_NAMES, needs: true, form: 'weight metric METRIC=2 [METRIC=0]' },
  'reserve node': { run: reserveNode, names: 1, most: 1, settings: ['memory', 'disk'], needs: true, form: 'reserve node NODE [memory=10%] [disk=50g]' },
};

function runLine(draft: Draft, edit: EditLine): undefined {
  const action = Object.hasOwn(ACTIONS, edit.action) ? ACTIONS[edit.action] : undefined;
  if (!action) {
    const [verb = ''] = edit.action.split(' ');
    const forms = Object.values(ACTIONS).map(({ form }) => form);
    const alike = forms.filter((form) => form.startsWith(`${verb} `)).join('; or ');
    const remedy = `write ${alike || Object.keys(ACTIONS).join(', ')}`;
    return edit.complain('change', edit.action, 'is no change', remedy);
  }
  const wrong = [...edit.settings.keys()].find((field) => !action.settings.includes(field));
  if (wrong !== undefined)
    return edit.complain(
      wrong,
      edit.settings.get(wrong),
      'is no setting of this change',
      `write ${action.form}${action.settings === METRIC_NAMES ? `, METRIC one of ${METRIC_NAMES.join(', ')}` : ''}`,
    );
  const { length } = edit.names;
  const isIncomplete = action.needs === true && edit.settings.size === 0;
  if (length < action.names || length > action.most || isIncomplete) {
    const problem = length > action.most ? 'has a word too many' : 'is not complete';
    return edit.complain('change', edit.text, problem, `write ${action.form}`);
  }
  action.run(draft, edit);
}

interface EditText {
  /** The option or the file, for messages. */
  readonly source: string;
  readonly text: string;
}

/** @param snapshot as read @throws InputError with all that is wrong, in the name of the first source */
export function applyEdits(snapshot: RawSnapshot, edits: readonly EditText[]): RawSnapshot {
  const draft = new Draft(snapshot);
  let first: string | undefined;
  const problems = edits.flatMap(({ source, text }) => {
    const own: InputProblem[] = [];
    for (const edit of editLines(text, own)) runLine(draft, edit);
    if (own.length > 0) first ??= source;
    return source === first
      ? own
      : own.map((one) => ({ ...one, field: `${source} ${one.field ?? ''}`.trim() }));
  });
  if (first !== undefined) throw new InputError(first, problems);
  return draft.snapshot();
}

/** The changes one by one, as they were written. */
export const editWords = (edits: readonly EditText[]): string[] =>
  edits.flatMap(({ text }) => editLines(text).map((edit) => edit.text));
