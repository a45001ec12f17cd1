/** A real Nova: database, queue, API, conductor, scheduler and computes with the fake driver. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER } from '../../../debian-root.ts';
import { until } from '../../../until.ts';
import { KEYSTONE, PASSWORD } from './keystone.ts';
import { Daemon, python, run, tryRun, write } from './machine.ts';
import { STUBS } from './stub.ts';

export const COMPUTE_API = 'http://127.0.0.1:8774/v2.1';
/** How long computes may take to come up on a busy machine. */
const FIRST_WORD_MS = 300_000;
const KEPT = join(FOLDER, 'openstack.sql');
const DATABASES = ['nova_api', 'nova', 'nova_cell0'] as const;

const PASTE = `[composite:osapi_compute]
use = call:nova.api.openstack.urlmap:urlmap_factory
/: versions
/v2.1: v21
[pipeline:versions]
pipeline = faultwrap versionsapp
[pipeline:v21]
pipeline = compute_req_id faultwrap authtoken keystonecontext computeapp
[app:versionsapp]
paste.app_factory = nova.api.openstack.compute.versions:Versions.factory
[app:computeapp]
paste.app_factory = nova.api.openstack.compute:APIRouterV21.factory
[filter:compute_req_id]
paste.filter_factory = nova.api.compute_req_id:ComputeReqIdMiddleware.factory
[filter:faultwrap]
paste.filter_factory = nova.api.openstack:FaultWrapper.factory
[filter:authtoken]
paste.filter_factory = keystonemiddleware.auth_token:filter_factory
[filter:keystonecontext]
paste.filter_factory = nova.api.auth:NovaKeystoneContext.factory
`;

const login = `auth_type = password
auth_url = ${KEYSTONE}/v3
username = nova
password = ${PASSWORD}
project_name = service
user_domain_name = Default
project_domain_name = Default
region_name = RegionOne
`;

/** @param database URL of one of Nova's. @param placement where this service finds hplaced */
const conf = (host: string, database: (name: string) => string, placement: string): string => `[DEFAULT]
host = ${host}
my_ip = 127.0.0.1
state_path = /srv/nova/${host}
log_file = /srv/log/${host}.log
transport_url = rabbit://guest:guest@127.0.0.1:5672/
compute_driver = fake.MediumFakeDriver
enabled_apis = osapi_compute
osapi_compute_listen = 127.0.0.1
osapi_compute_workers = 1
report_interval = 5
service_down_time = 30
rpc_response_timeout = 120
update_resources_interval = 20
sync_power_state_interval = -1
heal_instance_info_cache_interval = -1
ram_allocation_ratio = 1.0
[api]
auth_strategy = keystone
[wsgi]
api_paste_config = /srv/nova/api-paste.ini
[api_database]
connection = ${database('nova_api')}
[database]
connection = ${database('nova')}
[conductor]
workers = 1
[scheduler]
workers = 1
[quota]
instances = -1
cores = -1
ram = -1
[vnc]
enabled = false
[oslo_concurrency]
lock_path = /srv/nova/${host}
[keystone_authtoken]
www_authenticate_uri = ${KEYSTONE}/v3
${login}[placement]
endpoint_override = ${placement}
${login}[neutron]
endpoint_override = http://127.0.0.1:${STUBS.network}
${login}[glance]
endpoint_override = http://127.0.0.1:${STUBS.image}
`;

const configOf = (host: string): readonly string[] => ['--config-file', `/srv/nova/${host}.conf`];

/** `nova-manage` and the like, on the controller. */
export const novaCommand = (module: string, ...words: readonly string[]) =>
  tryRun(python(`nova.cmd.${module}`, ...configOf('controller'), ...words));

async function manage(...words: readonly string[]): Promise<void> {
  const { status, stdout, stderr } = await novaCommand('manage', ...words);
  if (status !== 0)
    throw new Error(`nova-manage ${words.join(' ')}: ${status}\n${stdout}${stderr.slice(-2000)}`);
}

/** Tables and cells. */
async function makeDatabases(database: (name: string) => string): Promise<void> {
  await manage('api_db', 'sync');
  await manage('cell_v2', 'map_cell0', '--database_connection', database('nova_cell0'));
  await manage('db', 'sync');
  await manage('cell_v2', 'create_cell', '--name', 'cell1');
}

/** As much of it as `nova-manage` and `nova-status` need, on SQLite. */
export async function prepareCommands(placement: string): Promise<void> {
  const database = (name: string): string => `sqlite:////srv/nova/${name}.db`;
  write('/srv/nova/controller.conf', conf('controller', database, placement));
  await makeDatabases(database);
}

export class Nova {
  readonly hosts: readonly string[];
  private readonly placements: readonly string[];
  private readonly daemons: Daemon[] = [];
  private readonly computes = new Map<string, Daemon>();

  private constructor(hosts: readonly string[], placements: readonly string[]) {
    this.hosts = hosts;
    this.placements = placements;
  }

  /** @param placements where hplaced is found; the services take turns with them */
  static async start(hosts: readonly string[], placements: readonly string[]): Promise<Nova> {
    const nova = new Nova(hosts, placements);
    await nova.bringUp();
    return nova;
  }

  private async bringUp(): Promise<void> {
    const { hosts, placements, daemons } = this;
    const database = (name: string): string => `mysql+pymysql://root@127.0.0.1/${name}`;
    write('/srv/nova/api-paste.ini', PASTE);
    for (const [k, host] of ['controller', ...hosts].entries())
      write(`/srv/nova/${host}.conf`, conf(host, database, placements[k % placements.length]!));
    await run(['install', '-d', '-o', 'mysql', '/run/mysqld']);
    const mariadb = new Daemon('mariadb', [
      ...[
        'mariadbd',
        '--user=mysql',
        '--bind-address=127.0.0.1',
        '--skip-grant-tables',
        '--max-connections=500',
      ],
      '--innodb-flush-log-at-trx-commit=0',
    ]);
    const rabbit = new Daemon('rabbit', ['/usr/sbin/rabbitmq-server'], {
      RABBITMQ_NODENAME: 'rabbit@localhost',
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1',
    });
    daemons.push(mariadb, rabbit);
    await mariadb.listens(3306);
    await this.fillDatabases(database);
    await rabbit.listens(5672);
    for (const module of ['conductor', 'scheduler', 'api'])
      daemons.push(new Daemon(module, python(`nova.cmd.${module}`, ...configOf('controller'))));
    for (const host of hosts) this.startCompute(host);
    await daemons.at(-1)!.listens(8774);
    await this.discover();
  }

  /** Nova takes minutes to make its tables: they are kept with the root. */
  private async fillDatabases(database: (name: string) => string): Promise<void> {
    const make = DATABASES.map((name) => `DROP DATABASE IF EXISTS ${name}; CREATE DATABASE ${name}`);
    await run(['mariadb', '-e', make.join('; ')]);
    if (existsSync(KEPT)) {
      write('/srv/nova/tables.sql', readFileSync(KEPT, 'utf8'));
      await run(['mariadb', '-e', 'source /srv/nova/tables.sql']);
      return;
    }
    await makeDatabases(database);
    writeFileSync(KEPT, await run(['mariadb-dump', '--databases', ...DATABASES]));
  }

  /** Makes the computes part of the cell once they have all said what they have. */
  private async discover(): Promise<void> {
    const count = ['mariadb', '-N', 'nova', '-e', 'SELECT count(*) FROM compute_nodes WHERE deleted = 0'];
    await until(FIRST_WORD_MS, async () =>
      Number(await run(count)) < this.hosts.length ? 'not all computes come up' : undefined,
    );
    await manage('cell_v2', 'discover_hosts');
  }

  startCompute(host: string): void {
    this.computes.set(host, new Daemon(host, python('nova.cmd.compute', ...configOf(host))));
  }

  killCompute(host: string): Promise<void> {
    return this.computes.get(host)!.end();
  }

  /** As if all that writes were stopped: the computes go on with what they remember. */
  pause(): void {
    for (const daemon of this.all) daemon.signal('SIGSTOP');
  }

  resume(): void {
    for (const daemon of this.all) daemon.signal('SIGCONT');
  }

  /** Names of the logs, in /srv/log. */
  get logs(): readonly string[] {
    return ['controller', ...this.hosts].map((name) => `${name}.log`);
  }

  private get all(): readonly Daemon[] {
    return [...this.computes.values(), ...this.daemons];
  }

  async end(): Promise<void> {
    await Promise.all(this.all.map((daemon) => daemon.end()));
  }
}
