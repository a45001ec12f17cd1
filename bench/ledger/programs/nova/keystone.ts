/** A real Keystone with what a cloud needs of it: users, roles, a catalogue. */
import { Daemon, type Environment, run, write } from './machine.ts';

export const KEYSTONE = 'http://127.0.0.1:5000';
export const PASSWORD = 'not-a-secret';
const CONF = `[database]
connection = sqlite:////srv/keystone/keystone.db
[token]
provider = fernet
[fernet_tokens]
key_repository = /srv/keystone/fernet
[credential]
key_repository = /srv/keystone/credentials
[cache]
enabled = true
backend = dogpile.cache.memory
`;

/** A thread a request: uwsgi, which Debian has for it, drops connections when all come at once. */
const SERVER = `from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIServer, make_server
from keystone.server.wsgi import initialize_public_application
class Server(ThreadingMixIn, WSGIServer):
    request_queue_size = 128
    daemon_threads = True
make_server('127.0.0.1', 5000, initialize_public_application(), Server).serve_forever()
`;

export interface CatalogueEntry {
  readonly type: string;
  readonly url: string;
}

/** What clients log in with, as openrc files have it. */
export const openrc = (user: string, project: string): Environment => ({
  OS_AUTH_URL: `${KEYSTONE}/v3`,
  OS_AUTH_TYPE: 'password',
  OS_USERNAME: user,
  OS_PASSWORD: PASSWORD,
  OS_PROJECT_NAME: project,
  OS_USER_DOMAIN_NAME: 'Default',
  OS_PROJECT_DOMAIN_NAME: 'Default',
  OS_IDENTITY_API_VERSION: '3',
  OS_PLACEMENT_API_VERSION: '1.39',
});

/** A token by password. */
export async function logIn(user: string, project: string): Promise<string> {
  const domain = { name: 'Default' };
  const password = { user: { name: user, password: PASSWORD, domain } };
  const response = await fetch(`${KEYSTONE}/v3/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({
      auth: { identity: { methods: ['password'], password }, scope: { project: { name: project, domain } } },
    }),
  });
  if (response.status !== 201) throw new Error(`no token for ${user}: ${await response.text()}`);
  return response.headers.get('x-subject-token')!;
}

async function call(token: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${KEYSTONE}/v3${path}`, {
    method,
    headers: { 'x-auth-token': token, 'content-type': 'application/json', connection: 'close' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/**
 * Starts it: `admin` is an administrator, `nova` too, `placement` a service, which may ask who holds a token;
 * `watcher` reads what the project `demo` has.
 */
export async function startKeystone(catalogue: readonly CatalogueEntry[]): Promise<Daemon> {
  write('/srv/keystone/keystone.conf', CONF);
  const manage = ['keystone-manage', '--config-file', '/srv/keystone/keystone.conf'];
  const own = ['--keystone-user', 'root', '--keystone-group', 'root'];
  await run([...manage, 'db_sync']);
  // Keystone writes while it reads on another connection.
  const wal =
    "import sqlite3; sqlite3.connect('/srv/keystone/keystone.db').execute('PRAGMA journal_mode=WAL')";
  await run(['python3', '-c', wal]);
  await run([...manage, 'fernet_setup', ...own]);
  await run([...manage, 'credential_setup', ...own]);
  await run([
    ...[...manage, 'bootstrap', '--bootstrap-password', PASSWORD, '--bootstrap-region-id', 'RegionOne'],
    ...['--bootstrap-public-url', `${KEYSTONE}/v3`, '--bootstrap-internal-url', `${KEYSTONE}/v3`],
  ]);
  const daemon = new Daemon('keystone', ['python3', '-c', SERVER], {
    OS_KEYSTONE_CONFIG_FILES: '/srv/keystone/keystone.conf',
  });
  await daemon.listens(5000);
  const token = await logIn('admin', 'admin');
  const make = async (kind: string, body: object): Promise<string> => {
    const made = (await call(token, 'POST', `/${kind}s`, { [kind]: body })) as Record<string, { id: string }>;
    return made[kind]!.id;
  };
  const idOf = async (kind: string, name: string): Promise<string> => {
    const found = (await call(token, 'GET', `/${kind}s?name=${name}`)) as Record<string, { id: string }[]>;
    return found[`${kind}s`]![0]!.id;
  };
  const service = await make('project', { name: 'service', domain_id: 'default' });
  const demo = await make('project', { name: 'demo', domain_id: 'default' });
  const roles = { service: await make('role', { name: 'service' }), reader: await idOf('role', 'reader') };
  const admin = await idOf('role', 'admin');
  for (const [name, project, role] of [
    ['nova', service, admin],
    ['placement', service, roles.service],
    ['watcher', demo, roles.reader],
  ] as const) {
    const user = await make('user', { name, domain_id: 'default', password: PASSWORD });
    await call(token, 'PUT', `/projects/${project}/users/${user}/roles/${role}`);
  }
  for (const { type, url } of catalogue) {
    const id = await make('service', { name: type, type });
    await make('endpoint', { service_id: id, interface: 'public', region_id: 'RegionOne', url });
  }
  return daemon;
}
