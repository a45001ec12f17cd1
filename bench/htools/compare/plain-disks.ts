/**
 * Messages that say no more of disks than a text file can: otherwise the two would describe different
 * clusters.
 */

interface MessageDisk {
  readonly size: number;
  readonly spindles?: number | null;
}

interface Message {
  readonly instances: Readonly<Record<string, { disks: MessageDisk[]; readonly disk_space_total: number }>>;
}

/** The message with one disk of the whole size, and all spindles, for each instance. */
export function withPlainDisks(text: string): string {
  const message = JSON.parse(text) as Message;
  for (const instance of Object.values(message.instances)) {
    const spindles = instance.disks.flatMap((disk) => disk.spindles ?? []);
    instance.disks = [
      {
        size: instance.disk_space_total,
        ...(spindles.length > 0 && { spindles: spindles.reduce((sum, count) => sum + count, 0) }),
      },
    ];
  }
  return JSON.stringify(message);
}
