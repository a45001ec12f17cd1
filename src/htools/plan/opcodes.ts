/**
 * Opcodes of Ganeti's jobs, with the members and in the order of the stock programs (byte contract of hail's
 * answers). Source: the stock programs' jobs, as the master daemon received them.
 */
import type { AnswerValue } from '../../kit/json/ascii-json.ts';

/** One step of a job, as the job queue takes it. */
export type Opcode = Readonly<Record<string, AnswerValue>>;

/** Ganeti's own default for the time an instance gets to shut down. */
const SHUTDOWN_TIMEOUT_SECONDS = 120;

/** Where an instance on shared storage goes; a mirrored one has no choice. */
const destination = (node: string | undefined): { readonly target_node?: string } =>
  node === undefined ? {} : { target_node: node };

const replacement = (instance: string): Opcode => ({
  OP_ID: 'OP_INSTANCE_REPLACE_DISKS',
  instance_name: instance,
  early_release: false,
  ignore_ipolicy: false,
  mode: 'replace_new_secondary',
  disks: [],
});

export const replaceDisks = (instance: string, node: string): Opcode => ({
  ...replacement(instance),
  remote_node: node,
});

/** The allocator that chooses nodes while a job runs. */
const ALLOCATOR = 'hail';

/** A new secondary, on a node that the allocator chooses. */
export const replaceDisksAnywhere = (instance: string): Opcode => ({
  ...replacement(instance),
  iallocator: ALLOCATOR,
});

/** An instance that does not run is failed over. */
export const migrate = (instance: string, target?: string): Opcode => ({
  OP_ID: 'OP_INSTANCE_MIGRATE',
  instance_name: instance,
  ...destination(target),
  allow_runtime_changes: false,
  ignore_ipolicy: false,
  cleanup: false,
  allow_failover: true,
  ignore_hvversions: true,
});

export const failOver = (instance: string, target?: string): Opcode => ({
  OP_ID: 'OP_INSTANCE_FAILOVER',
  instance_name: instance,
  shutdown_timeout: SHUTDOWN_TIMEOUT_SECONDS,
  ignore_consistency: false,
  ...destination(target),
  ignore_ipolicy: false,
  cleanup: false,
});

/** All disks anew, and empty, on nodes that the allocator chooses. */
export const recreateDisks = (instance: string): Opcode => ({
  OP_ID: 'OP_INSTANCE_RECREATE_DISKS',
  instance_name: instance,
  disks: [],
  nodes: [],
  iallocator: ALLOCATOR,
});

export const reinstall = (instance: string): Opcode => ({
  OP_ID: 'OP_INSTANCE_REINSTALL',
  instance_name: instance,
  force_variant: false,
});

export const delay = (seconds: number): Opcode => ({
  OP_ID: 'OP_TEST_DELAY',
  duration: seconds,
  on_master: true,
  on_nodes: [],
  repeat: 0,
  interruptible: false,
  no_locks: false,
});

type TagKind = 'instance' | 'node';

const ofTags =
  (operation: string) =>
  (kind: TagKind, name: string, tags: readonly string[]): Opcode => ({ OP_ID: operation, kind, tags, name });

export const addTags = ofTags('OP_TAGS_SET');
export const removeTags = ofTags('OP_TAGS_DEL');

export const setOffline = (node: string, isOffline: boolean): Opcode => ({
  OP_ID: 'OP_NODE_SET_PARAMS',
  node_name: node,
  force: false,
  offline: isOffline,
  auto_promote: false,
});

/** Ganeti's own default for commands to the hardware of nodes. */
const HARDWARE_TIMEOUT_SECONDS = 60;

/** Has the hardware of a node give or take its power. */
export const powerCommand = (node: string, command: 'power-on' | 'power-off'): Opcode => ({
  OP_ID: 'OP_OOB_COMMAND',
  node_names: [node],
  command,
  timeout: HARDWARE_TIMEOUT_SECONDS,
  ignore_status: false,
});

/** Cuts a node's system off and starts it anew. The master refuses this for itself. */
export const powercycle = (node: string): Opcode => ({
  OP_ID: 'OP_NODE_POWERCYCLE',
  node_name: node,
  force: false,
});
