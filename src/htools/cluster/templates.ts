/** How an instance's data can be reached elsewhere: not at all, on its secondary, or on any node. */
export type Mirroring = 'none' | 'internal' | 'external';

interface TemplateRow {
  readonly mirroring: Mirroring;
  /** The storage pool that it implies; undefined where there is no data. */
  readonly pool: string | undefined;
  /** In the notation of the stock programs. */
  readonly shown: string;
}

/** Disk templates, in stock's order, and what follows from each. Source: ganeti(7) "DISK TEMPLATES". */
const TEMPLATES = {
  diskless: { mirroring: 'external', pool: undefined, shown: 'DTDiskless' },
  file: { mirroring: 'none', pool: 'internal/file', shown: 'DTFile' },
  sharedfile: { mirroring: 'external', pool: 'external/sharedfile', shown: 'DTSharedFile' },
  plain: { mirroring: 'none', pool: 'internal/lvm', shown: 'DTPlain' },
  blockdev: { mirroring: 'external', pool: 'external/blockdev', shown: 'DTBlock' },
  drbd: { mirroring: 'internal', pool: 'internal/lvm', shown: 'DTDrbd8' },
  rbd: { mirroring: 'external', pool: 'external/rbd', shown: 'DTRbd' },
  ext: { mirroring: 'external', pool: 'external/ext', shown: 'DTExt' },
  gluster: { mirroring: 'external', pool: 'external/gluster', shown: 'DTGluster' },
} as const satisfies Record<string, TemplateRow>;

export type DiskTemplate = keyof typeof TEMPLATES;
export const DISK_TEMPLATES = Object.keys(TEMPLATES) as readonly DiskTemplate[];

export const isDiskTemplate = (text: string): text is DiskTemplate => Object.hasOwn(TEMPLATES, text);
export const mirroringOf = (template: DiskTemplate): Mirroring => TEMPLATES[template].mirroring;
export const impliedPool = (template: DiskTemplate): string | undefined => TEMPLATES[template].pool;
export const showTemplate = (template: DiskTemplate): string => TEMPLATES[template].shown;

/** Whether the balancer may move its instances at all: no diskless ones, as in stock. */
export const isMovableTemplate = (template: DiskTemplate): boolean =>
  template !== 'diskless' && mirroringOf(template) !== 'none';
/** Whether its disks are counted against their node's disk (file storage is not, as in stock). */
export const usesNodeDisk = (template: DiskTemplate): boolean => template === 'drbd' || template === 'plain';
/** DRBD alone has a secondary node. */
export const hasSecondary = (template: DiskTemplate): boolean => template === 'drbd';
/** Nodes that an instance of this template needs: 2 for DRBD, else 1. */
export const requiredNodes = (template: DiskTemplate): number => (hasSecondary(template) ? 2 : 1);
