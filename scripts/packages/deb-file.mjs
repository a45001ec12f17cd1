/** A Debian package while it is put together: a tree of files, then one file made by dpkg-deb. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './products.mjs';

const BYTES_PER_KIB = 1024;

export function fail(message, remedy) {
  process.stderr.write(`Error: ${message}\nMaybe ${remedy}\n`);
  process.exit(1);
}

export function outputOf(command, words, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd: ROOT,
    encoding: 'utf8',
    ...options,
  });
  if (status !== 0)
    fail(`${command} ${words.join(' ')}: ${error ?? stderr}`, 'install what is missing, and build first');
  return stdout;
}

export class DebFile {
  #tree = mkdtempSync(join(tmpdir(), 'evenkeel-deb-'));

  /** Where a file of the package lies until it is built. */
  at(path) {
    const full = join(this.#tree, path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  }

  put(path, content, mode = 0o644) {
    writeFileSync(this.at(path), content);
    chmodSync(this.at(path), mode);
  }

  putZipped = (path, content) => this.put(`${path}.gz`, gzipSync(content, { level: 9 }));

  link(path, target) {
    symlinkSync(target, this.at(path));
  }

  /** Scripts that dpkg runs, by their names; text behind the usual first lines. */
  scripts(texts) {
    for (const [name, text] of Object.entries(texts))
      this.put(`DEBIAN/${name}`, `#!/bin/sh\nset -e\n${text}`, 0o755);
  }

  /**
   * Builds the package, and forgets the tree.
   * @param fields of its control file, Package, Version and Architecture among them
   * @returns the file
   */
  build(out, fields) {
    const kib = Math.ceil(Number(outputOf('du', ['-sb', this.#tree]).split('\t')[0]) / BYTES_PER_KIB);
    const { homepage, bugs } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const all = {
      ...fields,
      Maintainer: `Evenkeel <${bugs.url}>`,
      Section: 'admin',
      Priority: 'optional',
      'Installed-Size': kib,
      Homepage: homepage,
    };
    this.put(
      'DEBIAN/control',
      Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
    );
    mkdirSync(out, { recursive: true });
    const file = join(out, `${fields.Package}_${fields.Version}_${fields.Architecture}.deb`);
    // Files of one build have one time, so that the same tree gives the same package.
    const time = Math.floor(statSync(join(ROOT, 'package.json')).mtimeMs / 1000);
    outputOf('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z9', '--build', this.#tree, file], {
      env: { ...process.env, SOURCE_DATE_EPOCH: process.env.SOURCE_DATE_EPOCH ?? String(time) },
    });
    rmSync(this.#tree, { recursive: true });
    return file;
  }
}
