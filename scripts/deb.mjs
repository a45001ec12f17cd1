/**
 * Builds a Debian package from what `npm run build` has made: programs, manual pages, completion for three
 * shells, and the link that Ganeti looks for its allocator by.
 *
 *   npm run deb                     evenkeel_VERSION_ARCH.deb in deb/, for this machine's architecture
 *   npm run deb -- --arch arm64     for another one (amd64 or arm64)
 *   npm run deb -- --out FOLDER     elsewhere
 *
 * Debian's ganeti has files of the same names; they are diverted to NAME.ganeti as long as this package is
 * there.
 *
 * The package recommends nodejs instead of depending on it: Debian 12 has one that is too old, and who has
 * Node from elsewhere often has no package of it. The installation says so when it finds none.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HOME = 'usr/lib/evenkeel';
const ALLOCATORS = 'usr/lib/ganeti/iallocators';
/** Debian's names of architectures, and what SQLite's binaries are called for them. */
const ARCHITECTURES = { amd64: 'linux-x64', arm64: 'linux-arm64' };
const COMPLETIONS = {
  bash: (name) => `usr/share/bash-completion/completions/${name}`,
  zsh: (name) => `usr/share/zsh/vendor-completions/_${name}`,
  fish: (name) => `usr/share/fish/vendor_completions.d/${name}.fish`,
};
const BYTES_PER_KIB = 1024;

function fail(message, remedy) {
  process.stderr.write(`Error: ${message}\nMaybe ${remedy}\n`);
  process.exit(1);
}

function outputOf(command, words) {
  const { status, stdout, stderr, error } = spawnSync(command, words, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0)
    fail(`${command} ${words.join(' ')}: ${error ?? stderr}`, 'install what is missing, and build first');
  return stdout;
}

const { values } = parseArgs({
  options: { arch: { type: 'string' }, out: { type: 'string', default: join(ROOT, 'deb') } },
});
const arch = values.arch ?? outputOf('dpkg', ['--print-architecture']).trim();
if (!(arch in ARCHITECTURES)) fail(`--arch ${arch} is not known`, 'give amd64 or arm64');
if (!existsSync(join(ROOT, 'dist/hbal.cjs'))) fail('the programs are not built', 'run: npm run build');

const about = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const programs = Object.keys(about.bin);
const version = `${about.version}-1`;
const tree = mkdtempSync(join(tmpdir(), 'evenkeel-deb-'));

/** Writes a file of the package. */
function put(path, content, mode = 0o644) {
  const full = join(tree, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  chmodSync(full, mode);
}

function link(path, target) {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  symlinkSync(target, join(tree, path));
}

const isOfPackage = (source) => {
  const name = basename(source);
  if (name.endsWith('.cache') || name === '.stamp') return false;
  if (source.endsWith('dist/lib')) return false;
  const system = /dist\/vendor\/prebuilds\/([^/]+)/.exec(source)?.[1];
  if (system !== undefined && system !== ARCHITECTURES[arch]) return false;
  return !name.includes('musl');
};

for (const path of [
  'bin',
  'dist',
  'schemas',
  'scripts/keep-compiled.mjs',
  'testdata/small.data',
  'testdata/super.data',
  'testdata/small-allocate.json',
  'package.json',
])
  cpSync(join(ROOT, path), join(tree, HOME, path), { recursive: true, filter: isOfPackage });
for (const name of programs) {
  link(`usr/bin/${name}`, `../lib/evenkeel/bin/${name}`);
  put(`usr/share/man/man1/${name}.1.gz`, gzipSync(readFileSync(join(ROOT, `man/${name}.1`)), { level: 9 }));
  for (const [shell, pathOf] of Object.entries(COMPLETIONS))
    put(pathOf(name), outputOf(join(ROOT, 'bin', name), [`--completion=${shell}`]));
}
link(`${ALLOCATORS}/hail`, '../../../bin/hail');
put('usr/share/doc/evenkeel/README.md', readFileSync(join(ROOT, 'README.md')));
put('usr/share/doc/evenkeel/changelog.gz', gzipSync(readFileSync(join(ROOT, 'CHANGELOG.md')), { level: 9 }));
put(
  'usr/share/doc/evenkeel/copyright',
  `${readFileSync(join(ROOT, 'LICENSE'), 'utf8')}\nLibraries in ${HOME}/dist:\n\n${readFileSync(join(ROOT, 'dist/vendor/LICENSES.txt'), 'utf8')}`,
);

/**
 * How a compiled form fits one version of Node only: made when this is configured, and again when Node
 * changes.
 */
const AFTER = `#!/bin/sh
set -e
if [ "$1" = configure ] || [ "$1" = triggered ]; then
  if node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null; then
    node /${HOME}/scripts/keep-compiled.mjs
  else
    echo 'evenkeel: Node.js 20.19 or newer is needed, and there is none in PATH: install one, then run dpkg-reconfigure evenkeel' >&2
  fi
fi
`;
const BEFORE_REMOVAL = `#!/bin/sh
set -e
rm -f /${HOME}/dist/*.cache
`;
const kib = Math.ceil(Number(outputOf('du', ['-sb', tree]).split('\t')[0]) / BYTES_PER_KIB);
/** Debian's ganeti has these; whichever package comes first, ours are found and its own are kept. */
const STOCK = ['hail', 'harep', 'hbal', 'hcheck', 'hinfo', 'hroller', 'hscan', 'hspace', 'hsqueeze'];
const diverted = STOCK.filter((name) => programs.includes(name)).flatMap((name) => [
  [`/usr/bin/${name}`, `/usr/bin/${name}.ganeti`],
  [`/usr/share/man/man1/${name}.1.gz`, `/usr/share/man/man1/${name}.ganeti.1.gz`],
  [`/${COMPLETIONS.bash(name)}`, `/${COMPLETIONS.bash(name)}.ganeti`],
]);
diverted.push([`/${ALLOCATORS}/hail`, `/${ALLOCATORS}/hail.ganeti`]);
const BEFORE = `#!/bin/sh
set -e
${diverted.map(([from, to]) => `dpkg-divert --quiet --package evenkeel --add --rename --divert ${to} ${from}`).join('\n')}
`;
const AFTER_REMOVAL = `#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = abort-install ] || [ "$1" = disappear ]; then
${diverted.map(([from, to]) => `  dpkg-divert --quiet --package evenkeel --remove --rename --divert ${to} ${from}`).join('\n')}
fi
`;
put('DEBIAN/preinst', BEFORE, 0o755);
put('DEBIAN/postrm', AFTER_REMOVAL, 0o755);
put('DEBIAN/postinst', AFTER, 0o755);
put('DEBIAN/prerm', BEFORE_REMOVAL, 0o755);
put('DEBIAN/triggers', 'interest-noawait /usr/bin/node\n');
put(
  'DEBIAN/control',
  `Package: evenkeel
Version: ${version}
Architecture: ${arch}
Maintainer: Evenkeel <${about.bugs.url}>
Section: admin
Priority: optional
Installed-Size: ${kib}
Depends: libc6, libstdc++6
Recommends: nodejs (>= 20.19)
Homepage: ${about.homepage}
Description: places, balances, repairs and compresses clusters of virtual machines
 Programs that balance a cluster (hbal), choose nodes for new instances (hail),
 tell how much fits (hspace), check and show its health (hcheck, hinfo), and
 work across node groups. They take the place of Ganeti's htools: same
 options, same steps, same output. Beside Debian's ganeti its own programs stay,
 as hbal.ganeti and so on.
 .
 Needs Node.js 20.19 or newer, of Debian 13 or from elsewhere.
`,
);

mkdirSync(values.out, { recursive: true });
const file = join(values.out, `evenkeel_${version}_${arch}.deb`);
// Files of one build have one time, so that the same tree gives the same package.
const time = Math.floor(statSync(join(ROOT, 'package.json')).mtimeMs / 1000);
const { status, stderr } = spawnSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', tree, file], {
  encoding: 'utf8',
  env: { ...process.env, SOURCE_DATE_EPOCH: process.env.SOURCE_DATE_EPOCH ?? String(time) },
});
rmSync(tree, { recursive: true });
if (status !== 0) fail(stderr, 'install dpkg-dev');
process.stdout.write(`${file}\n`);
