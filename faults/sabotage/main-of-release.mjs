// Starts a service of the release that a link points to. Variables that this release does not know would be refused by it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the program of one replica, whose release is looked up at each start. Returns its path. */
export function mainOfRelease(directory, name, service, link) {
  const file = join(directory, `${name}.mjs`);
  writeFileSync(
    file,
    `const link = ${JSON.stringify(link)};
const { describeConfig } = await import(link + '/libs/config/dist/index.js');
const known = new Set(describeConfig().flatMap(({ env }) => [env, env + '_FILE']));
for (const name of Object.keys(process.env)) if (name.startsWith('PARLANCE_') && !known.has(name)) delete process.env[name];
await import(link + '/apps/${service}/dist/main.js');
`,
  );
  return file;
}
