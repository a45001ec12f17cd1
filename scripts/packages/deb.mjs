/**
 * Builds Debian packages of what `npm run build` has made: evenkeel, evenkeel-ledger and evenkeel-disk with
 * programs, manual pages, completion for three shells, and the link that Ganeti looks for its allocator by;
 * and evenkeel-runtime, a Node.js for systems that have none which is new enough.
 *
 *   npm run deb                     NAME_VERSION_ARCH.deb in deb/, for this machine's architecture
 *   npm run deb -- --arch arm64     for another one (amd64 or arm64)
 *   npm run deb -- --out FOLDER     elsewhere
 *
 * The files are those of the npm packages, in /usr/lib/evenkeel and its node_modules. evenkeel depends on no
 * nodejs: Debian 12 has one that is too old, and who has Node from elsewhere often has no package of it.
 * Which one is used is chosen when a package is configured (debian/configure).
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { DebFile, fail, outputOf } from './deb-file.mjs';
import { DIVERSION_SCRIPTS, STOCK_LINKS } from './diversions.mjs';
import { nodeFolder, RUNTIME } from './nodes.mjs';
import { ROOT } from './products.mjs';
import { stageAll } from './stage.mjs';

const HOME = 'usr/lib/evenkeel';
const RUNTIME_HOME = 'usr/lib/evenkeel-runtime';
/** Debian's names of architectures, and what binaries of SQLite and Node.js are called for them. */
const ARCHITECTURES = { amd64: 'linux-x64', arm64: 'linux-arm64' };
const COMPLETIONS = {
  bash: (name) => `usr/share/bash-completion/completions/${name}`,
  zsh: (name) => `usr/share/zsh/vendor-completions/_${name}`,
  fish: (name) => `usr/share/fish/vendor_completions.d/${name}.fish`,
};

const { values } = parseArgs({
  options: { arch: { type: 'string' }, out: { type: 'string', default: join(ROOT, 'deb') } },
});
const arch = values.arch ?? outputOf('dpkg', ['--print-architecture']).trim();
if (!(arch in ARCHITECTURES)) fail(`--arch ${arch} is not known`, 'give amd64 or arm64');

/** Not what other systems need, and no library: who programs with it has npm. */
function isForDebian(source) {
  if (source.endsWith('dist/lib')) return false;
  const system = /dist\/vendor\/prebuilds\/([^/]+)/.exec(source)?.[1];
  return (system === undefined || system === ARCHITECTURES[arch]) && !basename(source).includes('musl');
}

const withNode = (launcher) => launcher.replace('#!/usr/bin/env node\n', `#!/${HOME}/node\n`);

/** The files of an npm package, in their place, with what Debian has elsewhere. */
function debOf({ product: { name: packageName, pages = [] }, folder, programs }) {
  const deb = new DebFile();
  const home = packageName === 'evenkeel' ? HOME : `${HOME}/node_modules/${packageName}`;
  const docs = `usr/share/doc/${packageName}`;
  cpSync(folder, deb.at(home), { recursive: true, filter: isForDebian });
  const text = (path) => readFileSync(join(folder, path), 'utf8');
  for (const name of programs) {
    deb.put(`${home}/bin/${name}`, withNode(text(`bin/${name}`)), 0o755);
    deb.link(`usr/bin/${name}`, `../${home.slice('usr/'.length)}/bin/${name}`);
    deb.putZipped(`usr/share/man/man1/${name}.1`, text(`man/${name}.1`));
    for (const [shell, pathOf] of Object.entries(COMPLETIONS))
      deb.put(pathOf(name), outputOf(join(ROOT, 'bin', name), [`--completion=${shell}`]));
  }
  for (const page of pages) deb.putZipped(`usr/share/man/man7/${basename(page)}`, text(page));
  deb.put(`${docs}/README.md`, text('README.md'));
  deb.putZipped(`${docs}/changelog`, text('CHANGELOG.md'));
  deb.put(
    `${docs}/copyright`,
    `${text('LICENSE')}\nOther people's work in ${home}/dist:\n\n${text('LICENSES.txt')}`,
  );
  return { deb, home };
}

const DESCRIPTIONS = {
  evenkeel: `places, balances, repairs and compresses clusters of virtual machines
 Programs that balance a cluster (hbal), choose nodes for new instances (hail),
 tell how much fits (hspace), check and show its health (hcheck, hinfo), and
 work across node groups. They take the place of Ganeti's htools: same
 options, same steps, same output. Beside Debian's ganeti its own programs stay,
 as hbal.ganeti and so on, and for Ganeti as the allocator hail-ganeti.
 .
 Needs Node.js 20.19 or newer: of Debian 13, of evenkeel-runtime, or from
 elsewhere.`,
  'evenkeel-ledger': `ledger of who was promised what on clusters of virtual machines
 Claims (hclaim), allocation candidates (hcand), tenants bound to pods (hbind),
 and a service that clients of OpenStack Placement can use (hplaced). With it
 hbal --ledger leaves promised room free.`,
  'evenkeel-disk': `layouts of the disks of nodes
 hdisk turns a schema of spaces into exact sizes, or says which requirements
 clash.`,
  'evenkeel-runtime': `Node.js for evenkeel, where there is none that is new enough
 Only the programs of evenkeel use it; no other program finds it.`,
};

/**
 * In evenkeel: the choice of a Node.js, what makes Ganeti find ours and keep its own, and the units for runs
 * by the clock, which are off at first.
 */
function completeMain(deb) {
  for (const name of readdirSync(new URL('debian', import.meta.url)))
    deb.put(`${HOME}/${name}`, readFileSync(new URL(`debian/${name}`, import.meta.url)), 0o755);
  deb.link(`${HOME}/node`, 'find-node');
  deb.link('usr/lib/ganeti/iallocators/hail', '../../../bin/hail');
  for (const path of STOCK_LINKS) deb.link(path.slice(1), `/${HOME}/stock`);
  cpSync(new URL('night', import.meta.url), deb.at('usr/lib/systemd/system'), {
    recursive: true,
    filter: (path) => !path.endsWith('.yaml'),
  });
  deb.put('etc/evenkeel/cluster.yaml', readFileSync(new URL('night/cluster.yaml', import.meta.url)));
  deb.put('DEBIAN/conffiles', '/etc/evenkeel/cluster.yaml\n');
  deb.put('DEBIAN/triggers', `interest-noawait /usr/bin/node\ninterest-noawait /${RUNTIME_HOME}\n`);
}

/** Ahead of the removal, timers that somebody has switched on; with a purge, the journals. */
const TIMERS_OFF = `if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now 'evenkeel@hbal.timer' 'evenkeel@harep.timer' 'evenkeel@hcheck.timer' 'evenkeel@hcompress.timer' || true
fi\n`;
const FORGET = 'if [ "$1" = purge ]; then rm -rf /var/lib/evenkeel; fi\n';

/** In evenkeel-ledger: the service, which nobody starts before there is a file of tokens. */
function completeLedger(deb) {
  const own = (name) => readFileSync(new URL(`ledger/${name}`, import.meta.url));
  deb.put('usr/lib/systemd/system/hplaced.service', own('hplaced.service'));
  deb.put('etc/hplaced/options', own('options'));
  deb.put('DEBIAN/conffiles', '/etc/hplaced/options\n');
}

const { version: number } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const version = `${number}-1`;
/** @returns the file */
const build = (deb, name, fields, nameVersion = version) =>
  deb.build(values.out, {
    Package: name,
    Version: nameVersion,
    Architecture: arch,
    ...fields,
    Description: DESCRIPTIONS[name],
  });

function runtimeDeb() {
  const folder = nodeFolder(RUNTIME, ARCHITECTURES[arch]);
  const deb = new DebFile();
  cpSync(join(folder, 'bin/node'), deb.at(`${RUNTIME_HOME}/bin/node`));
  deb.put('usr/share/doc/evenkeel-runtime/copyright', readFileSync(join(folder, 'LICENSE')));
  return build(deb, 'evenkeel-runtime', { Depends: 'libc6 (>= 2.28), libstdc++6' }, `${RUNTIME}-1`);
}

for (const staged of stageAll()) {
  const { deb, home } = debOf(staged);
  const { name } = staged.product;
  const isMain = name === 'evenkeel';
  if (isMain) completeMain(deb);
  if (name === 'evenkeel-ledger') completeLedger(deb);
  deb.scripts({
    postinst: `case "$1" in configure | triggered) exec /${HOME}/configure ;; esac\n`,
    prerm: `rm -f /${home}/dist/*.cache\n${isMain ? TIMERS_OFF : ''}`,
    ...(isMain && { ...DIVERSION_SCRIPTS, postrm: `${DIVERSION_SCRIPTS.postrm}${FORGET}` }),
  });
  const fields = isMain
    ? { Depends: 'libc6', Recommends: 'nodejs (>= 20.19) | evenkeel-runtime' }
    : { Depends: `evenkeel (= ${version}), libc6, libstdc++6` };
  process.stdout.write(`${build(deb, name, fields)}\n`);
}
process.stdout.write(`${runtimeDeb()}\n`);
