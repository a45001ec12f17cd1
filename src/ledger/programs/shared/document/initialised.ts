/** `init` of hclaim and hbind. */
import type { MigrationReport } from '../../../store/migrations.ts';

/** @param ready what a new one is ready for */
export function initialisedText(name: string, { from, to, backups }: MigrationReport, ready: string): string {
  const what =
    from === to
      ? `${name} is up to date (version ${to})`
      : from === 0
        ? `${name} is ${ready} (version ${to})`
        : `${name} was brought from version ${from} to ${to}`;
  return [`${what}.`, ...backups.map((backup) => `What was before is kept in ${backup}.`), ''].join('\n');
}
