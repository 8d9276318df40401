// A copy of the build as the previous release might be: it creates no groups, and knows neither their event nor its audit entry. So the
// present build acts as a next release, with an event that the previous one does not know.
import { Tree } from './tree.mjs';

const changes = [
  { file: 'libs/foundation/dist/wiring/common.module.js', find: /VERSION = '[^']+'/, put: "VERSION = '0.0.1'" },
  {
    file: 'libs/contracts/dist/index.js',
    find: /\.\.\.byName\(\{ \.\.\.credentials, \.\.\.holds, \.\.\.users \}\),/,
    put: "...byName({ ...credentials, ...holds, ...users }).filter(({ type }) => !type.includes('group-created')),",
  },
  { file: 'apps/identity/dist/contracts/identity-events.js', find: /\n\s+GroupCreated: [^\n]+/, put: '' },
  {
    file: 'apps/identity/dist/http/admin/admin-groups.controller.js',
    find: /async create\(creation, body\) \{/,
    put: "$& throw new (await import('@nestjs/common')).NotFoundException();",
  },
];

export async function lastRelease(root) {
  const tree = await Tree.copyOf(root);
  for (const change of changes) await tree.plant(change);
  return tree;
}
