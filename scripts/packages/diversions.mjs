/**
 * What Debian's ganeti has under the names of ours: put aside while our package is there, and still to be
 * run.
 */

const STOCK = ['hail', 'harep', 'hbal', 'hcheck', 'hinfo', 'hroller', 'hscan', 'hspace', 'hsqueeze'];
const ALLOCATORS = '/usr/lib/ganeti/iallocators';

/** Of each file its place, and where it is while ours stands there. */
const MOVED = [
  ...STOCK.flatMap((name) => [
    [`/usr/bin/${name}`, `/usr/bin/${name}.distrib`],
    [`/usr/share/man/man1/${name}.1.gz`, `/usr/share/man/man1/${name}.ganeti.1.gz`],
    [
      `/usr/share/bash-completion/completions/${name}`,
      `/usr/share/bash-completion/completions/${name}.distrib`,
    ],
  ]),
  [`${ALLOCATORS}/hail`, `${ALLOCATORS}/hail.distrib`],
];

const divert = (action) =>
  MOVED.map(
    ([place, aside]) =>
      `dpkg-divert --quiet --package evenkeel --${action} --rename --divert ${aside} ${place}\n`,
  ).join('');

export const DIVERSION_SCRIPTS = {
  preinst: divert('add'),
  postrm: `case "$1" in remove | abort-install | disappear)\n${divert('remove')};;\nesac\n`,
};

/** Links to debian/stock, which runs what was put aside. Ganeti takes no allocator with a dot in its name. */
export const STOCK_LINKS = [...STOCK.map((name) => `/usr/bin/${name}.ganeti`), `${ALLOCATORS}/hail-ganeti`];
