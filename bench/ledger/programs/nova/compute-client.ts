/** Asks Nova, as a client of its API does. */
import { until } from '../../../until.ts';
import { logIn } from './keystone.ts';
import { COMPUTE_API } from './nova.ts';
import { IMAGE } from './stub.ts';

/** A server as Nova shows it to administrators. */
export interface Server {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly 'OS-EXT-SRV-ATTR:host': string | null;
  readonly 'OS-EXT-STS:task_state': string | null;
  readonly tenant_id: string;
  readonly user_id: string;
  readonly flavor: { readonly vcpus: number; readonly ram: number; readonly disk: number };
  readonly fault?: { readonly message: string };
}

/** Since when hosts are named at a migration; nothing later is needed. */
const MICROVERSION = 'compute 2.90';
const SETTLE_MS = 300_000;

export class ComputeClient {
  private token = '';

  private constructor() {}

  static async of(user: string, project: string): Promise<ComputeClient> {
    const client = new ComputeClient();
    client.token = await logIn(user, project);
    return client;
  }

  /** @returns the answer's document */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(COMPUTE_API + path, {
      method,
      headers: {
        'x-auth-token': this.token,
        'content-type': 'application/json',
        'openstack-api-version': MICROVERSION,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async makeFlavor(name: string, vcpus: number, ram: number, disk: number): Promise<void> {
    await this.call('POST', '/flavors', { flavor: { id: name, name, vcpus, ram, disk } });
  }

  boot(name: string, flavorRef: string, count = 1): Promise<void> {
    return this.call('POST', '/servers', {
      server: { name, flavorRef, imageRef: IMAGE, networks: 'none', min_count: count, max_count: count },
    });
  }

  async servers(): Promise<readonly Server[]> {
    const { servers } = await this.call<{ servers: Server[] }>('GET', '/servers/detail?all_tenants=1');
    return servers;
  }

  act(id: string, action: object): Promise<void> {
    return this.call('POST', `/servers/${id}/action`, action);
  }

  /** A host is taken up again once it has put away what was evacuated from it: Nova insists. */
  async setDown(host: string, isDown: boolean): Promise<void> {
    const { services } = await this.call<{ services: readonly { id: string; host: string }[] }>(
      'GET',
      '/os-services?binary=nova-compute',
    );
    const { id } = services.find((service) => service.host === host)!;
    await until(SETTLE_MS, () =>
      this.call('PUT', `/os-services/${id}`, { forced_down: isDown }).then(() => undefined, String),
    );
  }

  delete(id: string): Promise<void> {
    return this.call('DELETE', `/servers/${id}`);
  }

  /**
   * Until no server has anything under way.
   * @param wanted the status that some of them have to come to, unless they fail; what Nova has only just
   * been asked for does not always show as under way
   */
  async settled(ids: readonly string[] = [], wanted = 'ACTIVE'): Promise<readonly Server[]> {
    let servers: readonly Server[] = [];
    await until(SETTLE_MS, async () => {
      servers = await this.servers();
      const busy = servers.filter(
        ({ id, status, ...server }) =>
          server['OS-EXT-STS:task_state'] !== null ||
          ['BUILD', 'DELETED'].includes(status) ||
          (ids.includes(id) && status !== wanted && status !== 'ERROR'),
      );
      if (busy.length === 0) return undefined;
      const words = busy.map(
        ({ name, status, ...server }) => `${name} ${status} ${server['OS-EXT-STS:task_state']}`,
      );
      return `still under way: ${words.join(', ')}`;
    });
    return servers;
  }
}
