// A copy of the built code, to plant faults in. External packages are linked, not copied.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const own = '@parlance';

export class Tree {
  static async copyOf(root) {
    const tree = new Tree();
    tree.root = await mkdtemp(join(tmpdir(), 'parlance-sabotage-'));
    for (const kind of ['apps', 'libs']) {
      for (const name of await readdir(join(root, kind))) {
        const [from, to] = [root, tree.root].map((place) => join(place, kind, name));
        if (!existsSync(join(from, 'dist'))) continue;
        await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true, filter: (file) => !/\.(d\.ts|map)$/.test(file) });
        await cp(join(from, 'package.json'), join(to, 'package.json'));
        if (existsSync(join(from, 'node_modules'))) await symlink(join(from, 'node_modules'), join(to, 'node_modules'));
      }
    }
    await tree.#linkPackages(join(root, 'node_modules'));
    return tree;
  }

  /**
   * Replaces one location in a built file. Throws unless the pattern matches exactly once: then the fault must be adapted to a change of
   * the code.
   */
  async plant({ file, find, put }) {
    const path = join(this.root, file);
    const text = await readFile(path, 'utf8');
    const places = [...text.matchAll(new RegExp(find, 'g'))];
    if (places.length !== 1) throw new Error(`${file} has ${places.length} places like ${find}: adapt the fault to the changed code`);
    await writeFile(path, text.replace(find, put));
    return () => writeFile(path, text);
  }

  remove() {
    return rm(this.root, { recursive: true, force: true });
  }

  /** Links every package; those of this repository into this copy. */
  async #linkPackages(from) {
    const to = join(this.root, 'node_modules');
    await mkdir(join(to, own), { recursive: true });
    for (const name of await readdir(from)) if (name !== own) await symlink(join(from, name), join(to, name));
    for (const kind of ['apps', 'libs'])
      for (const name of await readdir(join(this.root, kind))) await symlink(join(this.root, kind, name), join(to, own, name));
  }
}
