/** Reads a cluster over RAPI (`-m`), or from a folder with RAPI's answers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readInput } from '../../../kit/files/read-input.ts';
import type { RawSnapshot } from '../../cluster/snapshot.ts';
import { parseRapiAddress, type RapiServer, urlOf } from '../../ganeti/rapi/address.ts';
import { type RapiManners, rapiGet } from '../../ganeti/rapi/client.ts';
import { credentialsFor, readCredentials } from '../../ganeti/rapi/credentials.ts';
import { readTrust } from '../../ganeti/rapi/trust.ts';
import { decodeAnswer } from '../../ganeti/wire/answer-text.ts';
import type { RapiSettings } from '../parts/cluster-source.ts';
import { type RapiAnswers, rapiCluster } from './rapi-cluster.ts';

async function askServer(server: RapiServer, manners: RapiManners): Promise<RapiAnswers> {
  const questions = ['groups?bulk=1', 'nodes?bulk=1', 'instances?bulk=1', 'info', 'networks?bulk=1'].map(
    (resource) => rapiGet(server, `/2/${resource}`, manners),
  );
  // All at once; of several faults the first question's is told, whichever comes first.
  await Promise.allSettled(questions);
  const [groups, nodes, instances, info, networks] = await Promise.all(questions);
  return { groups: groups!, nodes: nodes!, instances: instances!, info: info!, networks };
}

function readFolder(folder: string): RapiAnswers {
  const text = (name: string): string => decodeAnswer(Buffer.from(readInput(join(folder, `${name}.json`))));
  const networks = existsSync(join(folder, 'networks.json')) ? text('networks') : undefined;
  return {
    groups: text('groups'),
    nodes: text('nodes'),
    instances: text('instances'),
    info: text('info'),
    networks,
  };
}

/**
 * @throws ExecutionError when the address is none
 * @throws BackendError when the cluster cannot be asked, or a file of the settings is not right
 * @throws InputError when its answers make no cluster
 */
export async function readRapi(text: string, settings: RapiSettings): Promise<RawSnapshot> {
  const { limits, credentialsFile, authoritiesFile, fingerprints, isInsecure = false } = settings;
  const trust = readTrust(authoritiesFile, fingerprints, isInsecure);
  const known = credentialsFile === undefined ? [] : readCredentials(credentialsFile);
  const address = parseRapiAddress(text);
  if (address.kind === 'folder') return rapiCluster(readFolder(address.folder), text);
  const credentials = credentialsFor(known, address.host, address.port);
  return rapiCluster(await askServer(address, { limits, trust, credentials }), urlOf(address));
}
