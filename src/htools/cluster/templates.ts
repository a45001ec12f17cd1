/** Disk templates and what follows from each, in stock's order. Source: ganeti(7) "DISK TEMPLATES". */
export const DISK_TEMPLATES = [
  'diskless',
  'file',
  'sharedfile',
  'plain',
  'blockdev',
  'drbd',
  'rbd',
  'ext',
  'gluster',
] as const;

export type DiskTemplate = (typeof DISK_TEMPLATES)[number];

/** How an instance's data can be reached elsewhere: not at all, on its secondary, or on any node. */
export type Mirroring = 'none' | 'internal' | 'external';

const MIRRORING: Record<DiskTemplate, Mirroring> = {
  diskless: 'external',
  file: 'none',
  sharedfile: 'external',
  plain: 'none',
  blockdev: 'external',
  drbd: 'internal',
  rbd: 'external',
  ext: 'external',
  gluster: 'external',
};

/** Templates whose instances the balancer may move at all. Diskless ones are not among them (as in stock). */
const MOVABLE: ReadonlySet<DiskTemplate> = new Set([
  'drbd',
  'blockdev',
  'sharedfile',
  'gluster',
  'rbd',
  'ext',
]);

/** Templates whose disks are counted against their node's disk (file storage is not, as in stock). */
const ON_NODE_DISK: ReadonlySet<DiskTemplate> = new Set(['drbd', 'plain']);

export const mirroringOf = (template: DiskTemplate): Mirroring => MIRRORING[template];
export const isMovableTemplate = (template: DiskTemplate): boolean => MOVABLE.has(template);
export const usesNodeDisk = (template: DiskTemplate): boolean => ON_NODE_DISK.has(template);
/** DRBD alone has a secondary node. */
export const hasSecondary = (template: DiskTemplate): boolean => template === 'drbd';
/** Nodes that an instance of this template needs: 2 for DRBD, else 1. */
export const requiredNodes = (template: DiskTemplate): number => (template === 'drbd' ? 2 : 1);

export const isDiskTemplate = (text: string): text is DiskTemplate =>
  (DISK_TEMPLATES as readonly string[]).includes(text);
