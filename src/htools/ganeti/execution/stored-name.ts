/** What a cluster calls itself by the files that Ganeti keeps on each node, for a master that is away. */
import { readFileSync } from 'node:fs';

const MOST_CHARACTERS = 255;

/**
 * The name in the file that belongs to the socket; empty where there is none. A socket in another place than
 * Ganeti's tells nothing about where its files are.
 */
export function storedClusterName(socket: string): string {
  const root = /^(.*?)(?:\/var)?\/run\/ganeti\/socket\/[^/]+$/.exec(socket)?.[1];
  if (root === undefined) return '';
  try {
    const name = readFileSync(`${root}/var/lib/ganeti/ssconf_cluster_name`, 'utf8').trim();
    return /^[\w.-]+$/.test(name) && name.length <= MOST_CHARACTERS ? name : '';
  } catch {
    return '';
  }
}
